import en from "../en/sharing.json";
import it from "../it/sharing.json";
import { addNamespace } from "../resources.ts";

addNamespace("sharing", { en, it });
