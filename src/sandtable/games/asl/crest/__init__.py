"""Crest status: Infantry at the lip of a gully, a stream or a sunken road (B20.9)."""
