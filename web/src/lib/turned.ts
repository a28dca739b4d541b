import type { Los, Scene } from "./types";

/** The same table seen from the other side. */
export function turned(scene: Scene): Scene {
  const [width, height] = [scene.width ?? 1000, scene.height ?? 700];
  const point = ([x, y]: [number, number]): [number, number] => [width - x, height - y];
  return {
    ...scene,
    turned: true,
    cells: scene.cells.map((cell) => ({ ...cell, x: width - cell.x, y: height - cell.y, outline: cell.outline.map(point) })),
    boxes: (scene.boxes ?? []).map((box) => ({ ...box, x: width - box.x - box.width, y: height - box.y - box.height })),
    directions: (scene.directions ?? []).map((degrees) => (degrees + 180) % 360),
    ...(scene.north === undefined ? {} : { north: (scene.north + 180) % 360 }),
  };
}

/** A line of sight on a table that is seen from the other side. */
export function turnedLine(los: Los | null, scene: Scene): Los | null {
  if (!los || !scene.turned) return los;
  return { ...los, line: (los.line ?? []).map(([x, y]) => [(scene.width ?? 1000) - x, (scene.height ?? 700) - y]) };
}
