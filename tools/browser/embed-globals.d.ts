// What the command writes before page/live-embed.js.
declare const held: Record<string, string>;
