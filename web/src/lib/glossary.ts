import type { Glossary, Piece, Term } from "./types";

export interface Part {
  text: string;
  term?: Term;
}

const escape = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Looks up what the words, markers and rule numbers of a game mean. */
export class Lexicon {
  #words = new Map<string, Term>();
  #faces = new Map<string, Term>();
  #pattern: RegExp | null = null;

  constructor(readonly glossary: Glossary = { terms: [], rules: {} }) {
    for (const term of glossary.terms) {
      for (const word of [...(term.words ?? []), term.title]) this.#words.set(word.toLowerCase(), term);
      for (const face of term.faces ?? []) this.#faces.set(face, term);
    }
    const words = [...this.#words.keys()].sort((a, b) => b.length - a.length).map(escape);
    if (words.length) this.#pattern = new RegExp(`(?<![\\w-])(?:${words.join("|")})(?![\\w-])`, "gi");
  }

  /** A text in parts: plain words, and words that can be explained. */
  parts(text: string): Part[] {
    if (!this.#pattern) return [{ text }];
    const parts: Part[] = [];
    let at = 0;
    for (const found of text.matchAll(this.#pattern)) {
      if (found.index > at) parts.push({ text: text.slice(at, found.index) });
      parts.push({ text: found[0], term: this.#words.get(found[0].toLowerCase()) });
      at = found.index + found[0].length;
    }
    if (at < text.length) parts.push({ text: text.slice(at) });
    return parts;
  }

  face(name: string): Term | undefined {
    return this.#faces.get(name);
  }

  /** Terms that explain a piece and what lies on it. */
  of(piece: Piece): Term[] {
    const found = [piece.face, ...(piece.markers ?? [])].map((face) => this.#faces.get(face));
    return [...new Set(found.filter((term): term is Term => !!term))];
  }

  rule(number: string | undefined): string {
    if (!number) return "";
    const title = this.glossary.rules[number];
    return title ? `${number} ${title}` : number;
  }
}

/** The name of a marker in words, from its term or its face. */
export const markerName = (lexicon: Lexicon, face: string) => lexicon.face(face)?.title ?? face.split("/").pop()!.replace(/[-_]/g, " ");
