// How wide a text is in Liberation Sans (or Arial, which has the same widths): advances in thousandths of the font size,
// as the font's own table "hmtx" has them. Without a browser Vega takes 0.8 of the size for every letter, which cuts
// labels that would fit and moves titles far from their axes.
const regular = new Map([
  [191, '\''],
  [222, 'ijl‘’'],
  [260, '|¦'],
  [278, ' !,./:;I[\\]ft·ÌÍÎÏìíîï'],
  [333, '()-`r¡¨²³´¸¹“”'],
  [334, '{}'],
  [355, '"'],
  [365, 'º'],
  [370, 'ª'],
  [389, '*'],
  [395, 'τ'],
  [400, '°'],
  [469, '^'],
  [500, 'Jcksvxyzçýÿλ'],
  [537, '¶'],
  [549, '±÷≤≥≈'],
  [552, '¯'],
  [556, '#$0123456789?L_abdeghnopqu¢£¤¥§«»àáâãäåèéêëðñòóôõöùúûüþ–'],
  [569, 'ρ'],
  [575, 'β'],
  [576, 'µμ'],
  [578, 'α'],
  [584, '+<=>~¬×'],
  [611, 'FTZ¿ßø'],
  [617, 'σ'],
  [667, '&ABEKPSVXYÀÁÂÃÄÅÈÉÊËÝÞ'],
  [722, 'CDHNRUwÇÐÑÙÚÛÜ'],
  [737, '©®'],
  [778, 'GOQÒÓÔÕÖØ'],
  [833, 'Mm'],
  [834, '¼½¾'],
  [889, '%æ'],
  [944, 'W'],
  [1000, 'Æ—…→'],
  [1015, '@'],
]);
const bold = new Map([
  [238, '\''],
  [278, ' ,./I\\ijl·ÌÍÎÏìíîï‘’'],
  [280, '|¦'],
  [333, '!()-:;[]`ft¡¨²³´¸¹'],
  [365, 'º'],
  [370, 'ª'],
  [389, '*r{}'],
  [400, '°'],
  [446, 'τ'],
  [474, '"'],
  [500, 'z“”'],
  [549, '±÷≤≥≈'],
  [552, '¯'],
  [556, '#$0123456789J_aceksvxy¢£¤¥§«¶»àáâãäåçèéêëýÿ–λ'],
  [576, 'µ'],
  [584, '+<=>^~¬×'],
  [610, 'β'],
  [611, '?FLTZbdghnopqu¿ßðñòóôõöøùúûüþ'],
  [612, 'μ'],
  [615, 'α'],
  [619, 'ρ'],
  [667, 'EPSVXYÈÉÊËÝÞ'],
  [684, 'σ'],
  [722, '&ABCDHKNRUÀÁÂÃÄÅÇÐÑÙÚÛÜ'],
  [737, '©®'],
  [778, 'GOQwÒÓÔÕÖØ'],
  [833, 'M'],
  [834, '¼½¾'],
  [889, '%mæ'],
  [944, 'W'],
  [975, '@'],
  [1000, 'Æ—…→'],
]);

const byCharacter = (table) => new Map([...table].flatMap(([width, text]) => [...text].map((one) => [one, width])));
const tables = { regular: byCharacter(regular), bold: byCharacter(bold) };

/** Letters that the tables lack: marks on the letter before have no width, Asian letters and pictures a whole square. */
function otherWidth(character) {
  if (/\p{M}/u.test(character)) return 0;
  return character.codePointAt(0) >= 0x1100 ? 1000 : 667;
}

// "sans-serif" by itself is DejaVu Sans on many machines, which is so much wider.
const unknownFont = 1.25;

/** @param font  as CSS has it, `600 15px Arial`  @returns pixels */
export function textWidth(text, font) {
  const size = Number(/([\d.]+)px/.exec(font)?.[1] ?? 11);
  const weight = /\b(bold|[1-9]00)\b/.exec(font.slice(0, font.indexOf('px')))?.[1] ?? '400';
  const table = weight === 'bold' || Number(weight) >= 600 ? tables.bold : tables.regular;
  let sum = 0;
  for (const character of text) sum += table.get(character) ?? otherWidth(character);
  const stretch = /arial|helvetica|liberation/i.test(font) ? 1 : unknownFont;
  return (sum * size * stretch) / 1000;
}
