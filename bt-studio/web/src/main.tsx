// Where the page begins.

import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { makeApp } from "./start.ts";
import "./styles/base.css";
import "./styles/panels.css";
import "./styles/parts.css";
import "./styles/forms.css";
import "./styles/compare.css";
import "./styles/debug.css";
import "./styles/debug-agent.css";
import "./styles/debug-bottom.css";

createRoot(document.getElementById("app")!).render(<App {...makeApp()} />);
