import { setContext } from "svelte";
import * as api from "./api";
import { Lexicon } from "./glossary";
import type { MatchInfo, Scene } from "./types";

/** The name of a side where nothing better is known. */
export const sideName = (side: string) => (side ? side[0]!.toUpperCase() + side.slice(1).replaceAll("_", " ") : "");

/** What a page needs to show a game: the scene, the drawings, the words. */
export class Table {
  scene = $state.raw<Scene | null>(null);
  faces = $state.raw<Record<string, string>>({});
  lexicon = $state.raw(new Lexicon());
  picture = $state("");
  trouble = $state("");
  #asked = false;

  constructor() {
    setContext("lexicon", () => this.lexicon);
  }

  lay(match: MatchInfo): void {
    if (this.#asked) return;
    this.#asked = true;
    const { game, scenario, options = {} } = match;
    this.picture = `/api/games/${game}/${scenario}/picture.svg?${new URLSearchParams(options)}`;
    Promise.all([api.scene(game, scenario, options), api.faces(game)])
      .then(([scene, faces]) => {
        this.faces = faces;
        this.scene = scene;
      })
      .catch((error: Error) => (this.trouble = error.message));
    api
      .glossary(game)
      .then((glossary) => (this.lexicon = new Lexicon(glossary)))
      .catch(() => null);
  }

  label = (side: string) => this.scene?.sides?.[side]?.label ?? sideName(side);
}
