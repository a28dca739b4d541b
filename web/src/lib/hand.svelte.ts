import type { Camera } from "./camera.svelte";
import type { Cell, Piece } from "./types";

/** What the hand finds and touches on the board. */
export interface Touched {
  camera: Camera;
  frame: () => HTMLElement;
  cellAt: (x: number, y: number) => Cell | null;
  boxAt: (x: number, y: number) => string | null;
  pieceOf: (event: Event) => Piece | null;
  /** Whether a piece may be taken up and dragged. */
  mayDrag: (piece: Piece) => boolean;
  onhover: (event: PointerEvent, cell: Cell | null, piece: Piece | null) => void;
  /** A piece is being dragged and has come over a cell. */
  ondrag: (piece: Piece, at: string) => void;
  ondrop: (piece: Piece, at: string) => void;
  onpiece: (piece: Piece, event: PointerEvent) => void;
  onplace: (at: string) => void;
  onrest: () => void;
}

const STILL = 6;

/** Pointers on the map: one finger or the mouse pans or drags a piece, two fingers zoom. */
export class Hand {
  grabbed = $state.raw<Piece | null>(null);
  ghost = $state.raw<[number, number] | null>(null);
  #pointers = new Map<number, { x: number; y: number }>();
  #travelled = 0;
  #over: string | null = null;

  constructor(private on: Touched) {}

  place(event: PointerEvent | WheelEvent): [number, number] {
    const box = this.on.frame().getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  #under(event: PointerEvent): Cell | null {
    return this.on.cellAt(...this.on.camera.toMap(...this.place(event)));
  }

  down(event: PointerEvent): void {
    if ((event.target as Element).closest(".tools, .name")) return;
    const [x, y] = this.place(event);
    this.#pointers.set(event.pointerId, { x, y });
    if (this.#pointers.size === 1) {
      this.#travelled = 0;
      this.#over = null;
      const piece = this.on.pieceOf(event);
      this.grabbed = piece && this.on.mayDrag(piece) ? piece : null;
    } else this.grabbed = null;
  }

  move(event: PointerEvent): void {
    const before = this.#pointers.get(event.pointerId);
    const { camera } = this.on;
    if (!before) {
      const piece = this.on.pieceOf(event);
      this.on.onhover(event, piece ? null : this.#under(event), piece);
      return;
    }
    const [x, y] = this.place(event);
    const [dx, dy] = [x - before.x, y - before.y];
    this.#travelled += Math.abs(dx) + Math.abs(dy);
    const frame = this.on.frame();
    if (this.#travelled > STILL && !frame.hasPointerCapture(event.pointerId)) frame.setPointerCapture(event.pointerId);
    if (this.#pointers.size === 2) {
      const other = [...this.#pointers].find(([id]) => id !== event.pointerId)![1];
      const old = Math.hypot(before.x - other.x, before.y - other.y);
      const now = Math.hypot(x - other.x, y - other.y);
      if (old > 0) camera.zoom(now / old, (x + other.x) / 2, (y + other.y) / 2);
      camera.pan(dx / 2, dy / 2);
    } else if (this.grabbed && this.#travelled > STILL) {
      this.ghost = [x, y];
      const at = this.#under(event)?.id ?? "";
      if (at !== this.#over) this.on.ondrag(this.grabbed, at);
      this.#over = at;
    } else if (this.#travelled > STILL) {
      camera.moving = true;
      camera.pan(dx, dy);
    }
    this.#pointers.set(event.pointerId, { x, y });
  }

  up(event: PointerEvent): void {
    if (!this.#pointers.delete(event.pointerId)) return;
    const { camera } = this.on;
    camera.moving = false;
    const held = this.grabbed;
    this.grabbed = null;
    this.ghost = null;
    const cancelled = event.type === "pointercancel";
    const at = () => this.on.boxAt(...camera.toMap(...this.place(event))) ?? this.#under(event)?.id;
    if (this.#travelled > STILL) {
      const goal = at();
      if (held && goal && !cancelled) this.on.ondrop(held, goal);
      this.on.onrest();
      return;
    }
    if (cancelled) return;
    const piece = this.on.pieceOf(event);
    if (piece) {
      this.on.onpiece(piece, event);
      return;
    }
    const place = at();
    if (place) this.on.onplace(place);
  }

  wheel(event: WheelEvent): void {
    if ((event.target as Element).closest(".trays")) return;
    event.preventDefault();
    this.on.camera.zoom(Math.exp(-event.deltaY * 0.0015), ...this.place(event));
    this.on.onrest();
  }
}
