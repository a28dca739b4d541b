import type { Cell, Piece, Scene } from "./types";

/** The cell under a point of the map: the nearest centre of those that reach so far; small cells lie on large ones. */
export function cellAt(scene: Scene, x: number, y: number): Cell | null {
  let best: Cell | null = null;
  let least = Infinity;
  for (const cell of scene.cells) {
    const distance = (cell.x - x) ** 2 + (cell.y - y) ** 2;
    if (distance < least && distance <= reach(cell)) {
      least = distance;
      best = cell;
    }
  }
  return best;
}

/** The square of the distance from a cell's centre to its farthest corner. */
function reach(cell: Cell): number {
  return Math.max(...cell.outline.map(([x, y]) => (x - cell.x) ** 2 + (y - cell.y) ** 2), 1);
}

/** The neighbour of a cell nearest to a direction (degrees clockwise from straight up). */
export function step(scene: Scene, from: Cell, degrees: number): Cell {
  const angle = (degrees * Math.PI) / 180;
  const [ux, uy] = [Math.sin(angle), -Math.cos(angle)];
  let best = from;
  let least = Infinity;
  for (const cell of scene.cells) {
    const [dx, dy] = [cell.x - from.x, cell.y - from.y];
    const along = dx * ux + dy * uy;
    if (along <= 1) continue;
    const across = Math.abs(dx * uy - dy * ux);
    const cost = along + across * 2.2;
    if (cost < least) {
      least = cost;
      best = cell;
    }
  }
  return best;
}

export interface Stack {
  at: string;
  pieces: Piece[];
}

/** Pieces by place, from the bottom to the top, what is carried right after what carries it. */
export function stacks(pieces: readonly Piece[]): Map<string, Piece[]> {
  const carried = new Map<string, Piece[]>();
  const ids = new Set(pieces.map((piece) => piece.id));
  for (const piece of pieces) {
    if (piece.within && ids.has(piece.within)) {
      carried.set(piece.within, [...(carried.get(piece.within) ?? []), piece]);
    }
  }
  const result = new Map<string, Piece[]>();
  const put = (piece: Piece, at: string) => {
    if (!result.has(at)) result.set(at, []);
    result.get(at)!.push(piece);
    for (const inside of carried.get(piece.id) ?? []) put(inside, at);
  };
  for (const piece of pieces) if (!piece.within || !ids.has(piece.within)) put(piece, piece.at);
  return result;
}

/** Where pieces have gone from one view to the next; one trail for those that went together. */
export function moves(before: readonly Piece[], now: readonly Piece[]): { from: string; to: string }[] {
  const places = new Map(before.map((piece) => [piece.id, piece.at]));
  const found = new Map<string, { from: string; to: string }>();
  for (const piece of now) {
    const from = places.get(piece.id);
    if (from && from !== piece.at) found.set(`${from} ${piece.at}`, { from, to: piece.at });
  }
  return [...found.values()];
}

export const points = (outline: readonly [number, number][]) => outline.map((point) => point.join(",")).join(" ");

/** The id of a face's symbol: names of faces have spaces and slashes. */
export const faceId = (face: string) => `face-${face.replace(/[^\w-]/g, (sign) => `_${sign.charCodeAt(0)}`)}`;
