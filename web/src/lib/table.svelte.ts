import { setContext } from "svelte";
import * as api from "./api";
import { Lexicon } from "./glossary";
import type { MatchInfo, Scene, View } from "./types";

/** The name of a side where nothing better is known. */
export const sideName = (side: string) => (side ? side[0]!.toUpperCase() + side.slice(1).replaceAll("_", " ") : "");

/** A short name for a long text. */
const brief = (text: string) => [...text].reduce((sum, letter) => (sum * 33 + letter.codePointAt(0)!) % 2_147_483_647, 5381).toString(36);

/** What a page needs to show a game: the scene, the drawings, the words. */
export class Table {
  scene = $state.raw<Scene | null>(null);
  faces = $state.raw<Record<string, string>>({});
  lexicon = $state.raw(new Lexicon());
  picture = $state("");
  trouble = $state("");
  /** Which map lies on the table: a match may make its own, and another one later. */
  edition = $state("");
  #asked: string | null = null;

  constructor() {
    setContext("lexicon", () => this.lexicon);
  }

  /** Lays out the map of a match; a match that makes its own map names it in its view. */
  lay(match: MatchInfo, view: View | null = null): void {
    const setting = match.own_map ? String(view?.extra?.setting ?? "") : "";
    if (this.#asked === setting) return;
    const first = this.#asked === null;
    this.#asked = setting;
    const { id, game, scenario, options = {} } = match;
    const edition = `map=${brief(setting)}`;
    const picture = setting ? `/api/matches/${id}/picture.svg?${edition}` : `/api/games/${game}/${scenario}/picture.svg?${new URLSearchParams(options)}`;
    Promise.all([setting ? api.matchScene(id, edition) : api.scene(game, scenario, options), api.faces(game)])
      .then(([scene, faces]) => {
        if (this.#asked !== setting) return;
        this.faces = faces;
        this.picture = picture;
        this.scene = scene;
        this.edition = setting;
      })
      .catch((error: Error) => (this.trouble = error.message));
    if (!first) return;
    api
      .glossary(game)
      .then((glossary) => (this.lexicon = new Lexicon(glossary)))
      .catch(() => null);
  }

  label = (side: string) => this.scene?.sides?.[side]?.label ?? sideName(side);
}
