/** Where one looks at the map: shift and scale from map to screen, by mouse, touch and keyboard. */
export class Camera {
  x = $state(0);
  y = $state(0);
  scale = $state(1);
  moving = $state(false);
  width = $state(0);
  height = $state(0);

  constructor(
    private mapWidth: number,
    private mapHeight: number,
  ) {}

  get least(): number {
    return Math.min(this.width / this.mapWidth, this.height / this.mapHeight) * 0.8;
  }

  /** The size of the window on the map; what was in the middle stays there. */
  resize(width: number, height: number): boolean {
    const first = this.width === 0 && width > 0;
    const middle = first ? null : this.toMap(this.width / 2, this.height / 2);
    this.width = width;
    this.height = height;
    if (middle) this.centre(...middle);
    return first;
  }

  fit(): void {
    this.scale = Math.min(this.width / this.mapWidth, this.height / this.mapHeight);
    this.x = (this.width - this.mapWidth * this.scale) / 2;
    this.y = (this.height - this.mapHeight * this.scale) / 2;
  }

  /** The first look: a small map as a whole; else counters big enough to read, the window full, these points in the middle. */
  begin(points: readonly [number, number][], size: number, small: boolean): void {
    const cover = Math.max(this.width / this.mapWidth, this.height / this.mapHeight);
    const readable = 46 / size;
    if (Math.min(this.width / this.mapWidth, this.height / this.mapHeight) >= (small ? 26 / size : readable)) {
      this.fit();
      return;
    }
    const seen = this.#crowd(points, this.width / readable / 2 - size, this.height / readable / 2 - size);
    const xs = seen.map(([x]) => x);
    const ys = seen.map(([, y]) => y);
    const [left, right] = seen.length ? [Math.min(...xs), Math.max(...xs)] : [0, this.mapWidth];
    const [top, bottom] = seen.length ? [Math.min(...ys), Math.max(...ys)] : [0, this.mapHeight];
    const margin = size * 4;
    const closest = Math.min(this.width / (right - left + margin), this.height / (bottom - top + margin));
    const most = this.width < 760 ? readable : Math.max(readable * 1.5, Math.min(cover, readable * 2));
    this.scale = Math.min(most, Math.max(readable, Math.min(cover, readable * 2), closest));
    this.centre((left + right) / 2, (top + bottom) / 2);
  }

  sees(mx: number, my: number, margin = 0): boolean {
    const [px, py] = [mx * this.scale + this.x, my * this.scale + this.y];
    return px > margin && px < this.width - margin && py > margin && py < this.height - margin;
  }

  /** Show some points, together with others if all of them fit into the window as it is. */
  frame(points: readonly [number, number][], others: readonly [number, number][]): void {
    const all = [...points, ...others];
    if (all.every(([x, y]) => this.sees(x, y, 60))) return;
    const middle = (n: 0 | 1) => (Math.min(...all.map((one) => one[n])) + Math.max(...all.map((one) => one[n]))) / 2;
    const span = (n: 0 | 1) => Math.max(...all.map((one) => one[n])) - Math.min(...all.map((one) => one[n]));
    const fits = span(0) * this.scale < this.width - 160 && span(1) * this.scale < this.height - 260;
    if (fits) this.centre(middle(0), middle(1));
    else if (!points.every(([x, y]) => this.sees(x, y, 60))) this.centre(...points[0]!);
  }

  /** Show a part of the map as large as the window allows, but no larger than life. */
  closeUp(left: number, top: number, right: number, bottom: number): void {
    const fit = Math.min(this.width / (right - left), this.height / (bottom - top)) * 0.96;
    this.scale = Math.min(2.6, Math.max(this.least, fit));
    this.centre((left + right) / 2, (top + bottom) / 2);
  }

  /** Turn to the crowd of some points without a change of scale. */
  look(points: readonly [number, number][], size: number): void {
    const near = this.#crowd(points, this.width / this.scale / 2 - size, this.height / this.scale / 2 - size);
    const mean = (n: 0 | 1) => near.reduce((sum, point) => sum + point[n], 0) / near.length;
    this.centre(mean(0), mean(1));
  }

  /** The points around the one that has most others near it. */
  #crowd(points: readonly [number, number][], dx: number, dy: number): [number, number][] {
    let best: [number, number][] = [];
    for (const [x, y] of points) {
      const near = points.filter(([a, b]) => Math.abs(a - x) <= dx && Math.abs(b - y) <= dy);
      if (near.length > best.length) best = near;
    }
    return best;
  }

  centre(mx: number, my: number): void {
    this.x = this.width / 2 - mx * this.scale;
    this.y = this.height / 2 - my * this.scale;
    this.keep(8);
  }

  /** A map bigger than the window fills it; a smaller one stays inside. */
  private keep(slack = 70): void {
    const hold = (at: number, window: number, map: number) => {
      const [low, high] = map >= window ? [window - map - slack, slack] : [-slack, window - map + slack];
      return Math.min(high, Math.max(low, at));
    };
    this.x = hold(this.x, this.width, this.mapWidth * this.scale);
    this.y = hold(this.y, this.height, this.mapHeight * this.scale);
  }

  pan(dx: number, dy: number): void {
    this.x += dx;
    this.y += dy;
    this.keep();
  }

  /** Zoom by a factor around a point of the window. */
  zoom(factor: number, px = this.width / 2, py = this.height / 2): void {
    const scale = Math.min(6, Math.max(this.least, this.scale * factor));
    const ratio = scale / this.scale;
    this.x = px - (px - this.x) * ratio;
    this.y = py - (py - this.y) * ratio;
    this.scale = scale;
    this.keep();
  }

  toMap(px: number, py: number): [number, number] {
    return [(px - this.x) / this.scale, (py - this.y) / this.scale];
  }

  /** Bring a point of the map into the window if it is outside or near the edge. */
  show(mx: number, my: number, always = false): void {
    const px = mx * this.scale + this.x;
    const py = my * this.scale + this.y;
    const inside = px > 60 && px < this.width - 60 && py > 60 && py < this.height - 60;
    if (always || !inside) this.centre(mx, my);
  }
}
