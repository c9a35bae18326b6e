import en from "../en/affiliates.json";
import it from "../it/affiliates.json";
import { addWords } from "../resources.ts";

addWords("affiliates", { en, it });
