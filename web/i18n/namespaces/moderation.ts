import en from "../en/moderation.json";
import it from "../it/moderation.json";
import { addNamespace } from "../resources.ts";

addNamespace("moderation", { en, it });
