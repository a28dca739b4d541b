"""The Rout Phase."""
