import type { Cell, Piece, Scene, SceneBox } from "./types";

export interface Placed {
  piece: Piece;
  x: number;
  y: number;
  /** How large it is drawn, if not as large as all. */
  size?: number;
}

export interface Pile {
  at: string;
  open: boolean;
  /** The pieces stand side by side: none covers another. */
  spread: boolean;
  pieces: Placed[];
}

/** How many pieces stand side by side in a cell without covering each other. */
export function columns(cell: Cell, size: number): number {
  if (cell.outline.length !== 4) return 1;
  const xs = cell.outline.map(([x]) => x);
  return Math.max(1, Math.floor((Math.max(...xs) - Math.min(...xs)) / (size * 1.08)));
}

function heap(pile: readonly Piece[], x: number, y: number, size: number): Placed[] {
  // What lies below stays to be seen: a squad under its leader and its weapon.
  const last = pile.length - 1;
  const step = Math.min(0.24, 0.6 / Math.max(last, 1)) * size;
  return pile.map((piece, n) => ({
    piece,
    x: x + step * (n - last / 2),
    y: y - step * (n - last / 2) * 0.8,
  }));
}

function rows(pile: readonly Piece[], x: number, y: number, size: number, across: number): Placed[] {
  const wide = Math.min(across, pile.length);
  const high = Math.ceil(pile.length / wide);
  return pile.map((piece, n) => ({
    piece,
    x: x + ((n % wide) - (wide - 1) / 2) * size * 1.06,
    y: y + (Math.floor(n / wide) - (high - 1) / 2) * size * 1.06,
  }));
}

/** Where the pieces of a cell stand: a heap, side by side where there is room, a fan when opened. */
export function arrange(pile: readonly Piece[], cell: Cell, scene: Scene, open: boolean): Placed[] {
  const size = scene.piece_size ?? 40;
  const room = columns(cell, size);
  if (!open && room > 1) {
    // In a square they are drawn as large as there is room for all of them.
    const across = Math.ceil(Math.sqrt(pile.length));
    const xs = cell.outline.map(([x]) => x);
    const large = Math.min(size * 2, ((Math.max(...xs) - Math.min(...xs)) * 0.97) / across / 1.06);
    return rows(pile, cell.x, cell.y, large, across).map((one) => ({ ...one, size: large }));
  }
  if (pile.length === 1) return [{ piece: pile[0]!, x: cell.x, y: cell.y }];
  if (!open) return heap(pile, cell.x, cell.y, size);
  const across = Math.max(1, Math.min(pile.length, 5));
  const half = ((across - 1) * size * 1.06 + size) / 2;
  const middle = Math.min((scene.width ?? 1e6) - half, Math.max(half, cell.x));
  return rows(pile, middle, cell.y, size, across);
}

/** Pieces in a box that is drawn on the map, in rows that fit into it. */
export function inBox(pile: readonly Piece[], box: SceneBox, size: number): Placed[] {
  const across = Math.max(1, Math.floor((box.width - size * 0.2) / (size * 1.06)));
  const down = Math.max(1, Math.ceil(pile.length / across));
  const room = box.height - 24;
  const step = Math.min(size * 1.06, down > 1 ? (room - size) / (down - 1) : size);
  return pile.map((piece, n) => ({
    piece,
    x: box.x + size * 0.65 + (n % across) * size * 1.06,
    y: box.y + 24 + size * 0.6 + Math.floor(n / across) * step,
  }));
}
