"""Squad-level tactics with guns: eight scenarios, S9 to S16."""
