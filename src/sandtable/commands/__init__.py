"""The commands: one module a topic, plain functions, found by the table in `sandtable.cli`."""
