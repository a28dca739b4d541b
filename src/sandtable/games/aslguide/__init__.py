"""The introductory guide: cut-down infantry rules and one scenario."""
