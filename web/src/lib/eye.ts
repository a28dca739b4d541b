import type { Camera } from "./camera.svelte";
import type { Cell, SceneBox, View } from "./types";

type Point = [number, number];
type Place = { x: number; y: number };

/** A map of so few cells is first seen as a whole. */
const SMALL = 100;
const point = ({ x, y }: Place): Point => [x, y];

/** Turns the camera to where something is to be seen or decided. */
export class Eye {
  /** Where one looked before a decision in a box beside the map. */
  #before: [number, number, number] | null = null;

  constructor(
    private camera: Camera,
    private cells: Map<string, Cell>,
    private boxes: Map<string, SceneBox>,
    private size: number,
    private now: () => { view: View; side: string | null; goals: Map<string, string>; keep: string },
  ) {}

  spot = (id: string): Place | undefined => {
    const box = this.boxes.get(id);
    return this.cells.get(id) ?? (box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : undefined);
  };

  #on(ids: Iterable<string>): Point[] {
    return [...ids].flatMap((id) => this.cells.get(id) ?? []).map(point);
  }

  /** The first look: where it was before a reload, else at the own pieces or at what is asked. */
  begin(): void {
    const { view, side, goals, keep } = this.now();
    const { camera } = this;
    const kept = keep && sessionStorage.getItem(`camera ${keep}`);
    if (kept) {
      [camera.x, camera.y, camera.scale] = JSON.parse(kept);
      return;
    }
    const pieces = view.pieces ?? [];
    const own = this.#on(pieces.filter((piece) => piece.side === side).map((piece) => piece.at));
    const asked = this.#on([...(view.focus ?? []), ...goals.keys()]);
    camera.begin(own.length ? own : this.#on(pieces.map((piece) => piece.at)), this.size, this.cells.size <= SMALL);
    if (asked.length && !asked.some(([x, y]) => camera.sees(x, y))) camera.look(asked, this.size);
  }

  remember(): void {
    const { camera } = this;
    const { keep } = this.now();
    if (keep && camera.width) sessionStorage.setItem(`camera ${keep}`, JSON.stringify([camera.x, camera.y, camera.scale]));
  }

  show(id: string, always = true): void {
    const at = this.spot(id);
    if (at) this.camera.show(at.x, at.y, always);
  }

  /** Brings several places into the window if they are not in it. */
  showAll(ids: string[]): void {
    const places = ids.flatMap((id) => this.spot(id) ?? []).map(point);
    if (places.length && this.camera.width) this.camera.frame(places, []);
  }

  /** If none of the goals is in the window, turns to where most of them are. */
  seekGoals(): void {
    const open = this.#on(this.now().goals.keys());
    if (this.camera.width && open.length && !open.some(([x, y]) => this.camera.sees(x, y, 20))) this.camera.look(open, this.size);
  }

  /** Bring the place of a decision into the window, with the pieces that can act if there is room for both. */
  seek(focus: readonly string[], able: ReadonlySet<string>): void {
    const { camera } = this;
    if (!camera.width) return;
    const places = focus.flatMap((id) => this.spot(id) ?? []).map(point);
    // Who waits in a box beside the map is found in the list: the eye stays on the map.
    const actors = this.#on((this.now().view.pieces ?? []).filter((piece) => able.has(piece.id)).map((piece) => piece.at));
    const aside = places.length > 0 && !focus.some((id) => this.cells.has(id));
    if (this.#before && !aside) {
      [camera.x, camera.y, camera.scale] = this.#before;
      this.#before = null;
    }
    if (aside) this.#before ??= [camera.x, camera.y, camera.scale];
    const fought = aside ? focus.flatMap((id) => this.boxes.get(id) ?? []) : [];
    if (fought.length > 1) {
      // A battle is fought in boxes beside the map: they fill the window.
      camera.closeUp(Math.min(...fought.map((box) => box.x)), Math.min(...fought.map((box) => box.y)) - 40, Math.max(...fought.map((box) => box.x + box.width)), Math.max(...fought.map((box) => box.y + box.height)));
    } else if (places.length) camera.frame(places, actors);
    else if (actors.length && !actors.some(([x, y]) => camera.sees(x, y))) camera.look(actors, this.size);
    else if (!actors.length) this.seekGoals(); // somebody off the map is to be placed: where?
  }
}
