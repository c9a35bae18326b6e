import en from "../en/trash.json";
import it from "../it/trash.json";
import { addWords } from "../resources.ts";

addWords("trash", { en, it });
