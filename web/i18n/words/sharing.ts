import en from "../en/sharing.json";
import it from "../it/sharing.json";
import { addWords } from "../resources.ts";

addWords("sharing", { en, it });
