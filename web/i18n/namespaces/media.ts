import en from "../en/media.json";
import it from "../it/media.json";
import { addNamespace } from "../resources.ts";

addNamespace("media", { en, it });
