import en from "../en/notices.json";
import it from "../it/notices.json";
import { addWords } from "../resources.ts";

addWords("notices", { en, it });
