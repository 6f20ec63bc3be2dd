// Where the small map stands: outside of the picture, which it would hide.

import { createStore } from "zustand/vanilla";

export const mapDock = createStore<{ element: HTMLElement | null }>(() => ({ element: null }));
