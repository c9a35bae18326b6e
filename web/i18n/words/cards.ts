import en from "../en/cards.json";
import it from "../it/cards.json";
import { addWords } from "../resources.ts";

addWords("cards", { en, it });
