// Where the page begins.

import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { makeApp } from "./start.ts";
import "./styles/base.css";
import "./styles/panels.css";
import "./styles/forms.css";

createRoot(document.getElementById("app")!).render(<App {...makeApp()} />);
