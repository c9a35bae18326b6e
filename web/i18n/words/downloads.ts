import en from "../en/downloads.json";
import it from "../it/downloads.json";
import { addWords } from "../resources.ts";

addWords("downloads", { en, it });
