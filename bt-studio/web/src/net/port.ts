// What a game's port understands, which the page says to it through the studio.

export type * from "../../../../bt-live/protocol/protocol.ts";
