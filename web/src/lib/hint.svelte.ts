/** One explanation at a time, beside what was tapped. */
class Hint {
  text = $state("");
  x = $state(0);
  y = $state(0);

  show(text: string, from: Element): void {
    const box = from.getBoundingClientRect();
    this.text = this.text === text ? "" : text;
    this.x = Math.min(Math.max(8, box.left), Math.max(8, innerWidth - 316));
    this.y = box.bottom + 6 > innerHeight - 120 ? Math.max(8, box.top - 96) : box.bottom + 6;
  }

  hide(): void {
    this.text = "";
  }
}

export const hint = new Hint();
