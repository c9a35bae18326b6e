import en from "../en/moderation.json";
import it from "../it/moderation.json";
import { addWords } from "../resources.ts";

addWords("moderation", { en, it });
