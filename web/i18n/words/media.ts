import en from "../en/media.json";
import it from "../it/media.json";
import { addWords } from "../resources.ts";

addWords("media", { en, it });
