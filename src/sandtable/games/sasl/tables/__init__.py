"""The printed tables of Solitaire ASL as data: general tables, nationality cards, events, landing craft, missions."""
