"""Made-up boards, battlefields and archives for the tests of `space`."""
