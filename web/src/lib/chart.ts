/** Whether a number falls under the key of a row: 7, 5-8, <=3, >=11. */
function covers(key: string, number: number): boolean {
  const [, sign, low, high] = key.match(/^(<=|>=)?(\d+)(?:-(\d+))?$/) ?? [];
  if (!low) return false;
  if (sign === "<=") return number <= Number(low);
  if (sign === ">=") return number >= Number(low);
  return number >= Number(low) && number <= Number(high ?? low);
}

/** The row by which something was decided: its key is the decision's, begins it, is a word of it, or covers its number. */
export function rowOf(keys: string[], decided: string): number {
  // Of several words the first counts: "12, dr 3" is the line of board 12.
  const words = decided.split(/[\s,]+/).map((word) => (key: string) => key === word);
  const number = Number(decided.match(/^(?:[A-Za-z]+ )?(\d+)$/)?.[1] ?? Number.NaN);
  for (const fits of [(key: string) => key === decided, (key: string) => key !== "" && decided.startsWith(`${key} `), ...words, (key: string) => covers(key, number)]) {
    const found = keys.findIndex(fits);
    if (found >= 0) return found;
  }
  return -1;
}

const RAISED: Record<string, string> = { 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

/** The text of a table with the signs of print: `<=2` is ≤2, `AFV^1` is AFV¹. */
export function printed(text: string): string {
  return text.replaceAll("<=", "≤").replaceAll(">=", "≥").replace(/\^([\d,]+)/g, (_, mark: string) => [...mark].map((sign) => RAISED[sign] ?? sign).join(""));
}

/** Whether the name is that of a printed table (`A8a`, `UM9`, `M1 ENEMY SAN`), not of a rule or a special rule. */
const isTable = (name: string) => /^U?[A-RT-Z]\d(?!.*MSR)|Chart$/.test(name);

/** The table and the row by which something was decided, if they are printed: First Fire goes by a case of the ladder. */
export function chartOf(event: { table?: unknown; row?: unknown; why?: unknown }): { table: string; row: string } | null {
  const ladder = String(event.why ?? "").match(/: (case \w) of (\w+1)$/);
  if (ladder) return { table: ladder[2]!, row: ladder[1]! };
  const table = String(event.table ?? "");
  return isTable(table) ? { table, row: String(event.row ?? "") } : null;
}
