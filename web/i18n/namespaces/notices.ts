import en from "../en/notices.json";
import it from "../it/notices.json";
import { addNamespace } from "../resources.ts";

addNamespace("notices", { en, it });
