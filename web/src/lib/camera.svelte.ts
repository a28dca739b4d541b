/** Where one looks at the map: shift and scale from map to screen, by mouse, touch and keyboard. */
export class Camera {
  x = $state(0);
  y = $state(0);
  scale = $state(1);
  moving = $state(false);
  width = 0;
  height = 0;

  constructor(
    private mapWidth: number,
    private mapHeight: number,
  ) {}

  get least(): number {
    return Math.min(this.width / this.mapWidth, this.height / this.mapHeight) * 0.8;
  }

  /** The size of the window on the map; the first time the whole map is shown. */
  resize(width: number, height: number): void {
    const first = this.width === 0;
    this.width = width;
    this.height = height;
    if (first && width > 0) this.fit();
  }

  fit(): void {
    this.scale = Math.min(this.width / this.mapWidth, this.height / this.mapHeight);
    this.x = (this.width - this.mapWidth * this.scale) / 2;
    this.y = (this.height - this.mapHeight * this.scale) / 2;
  }

  /** Keep at least a part of the map in the window. */
  private keep(): void {
    const margin = 80;
    this.x = Math.min(this.width - margin, Math.max(margin - this.mapWidth * this.scale, this.x));
    this.y = Math.min(this.height - margin, Math.max(margin - this.mapHeight * this.scale, this.y));
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
    if (always || !inside) {
      this.x = this.width / 2 - mx * this.scale;
      this.y = this.height / 2 - my * this.scale;
      this.keep();
    }
  }
}
