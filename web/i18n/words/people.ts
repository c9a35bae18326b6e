import en from "../en/people.json";
import it from "../it/people.json";
import { addWords } from "../resources.ts";

addWords("people", { en, it });
