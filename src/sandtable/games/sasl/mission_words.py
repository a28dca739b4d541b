"""What the page of a mission says about it."""

from __future__ import annotations

REMARKS = (
    "The tables run the ENEMY; the log gives the table, roll and row of each decision.",
    "AFV and SPG become a Gun, as the activation table provides for nations without a table of SPG (SA-46).",
    "Not played yet: flames, Human Waves, vehicles, off-board artillery, aircraft, rivers, Panji in PTO Terrain.",
    "Events that need any of these are treated as impossible and rolled again (2.31).",
    "Buildings have no upper levels.",
)
PARTISANS = (
    "Partisans throw Molotov cocktails along with fire at an adjacent hex (A22.6); these light no Flame yet (SA-119)."
    " They enter woods for 1 MF, may have Commissars, and neither Deploy nor entrench (12.211)."
)
SUMMARIES = {
    1: "Advance from the west edge, take the objectives and hold them; another board may open to the east.",
    2: "Wipe out the pockets that the advance has left behind before time runs out.",
    3: "Explore to the east: the boards, Guns and fortifications that you find are worth points.",
    4: "Break into a fortified line: the ENEMY's fortifications are your objectives.",
    5: "Clear the road from the west to the east edge and keep it out of the ENEMY's sight.",
    8: "Two columns run into each other on a road.",
    19: "Break out from the east to the west edge before the pincers close.",
}
