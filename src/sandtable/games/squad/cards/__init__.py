"""What is printed: the tables of the card, scenario files as typed data, the switches of the rules."""
