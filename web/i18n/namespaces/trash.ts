import en from "../en/trash.json";
import it from "../it/trash.json";
import { addNamespace } from "../resources.ts";

addNamespace("trash", { en, it });
