import en from "../en/cards.json";
import it from "../it/cards.json";
import { addNamespace } from "../resources.ts";

addNamespace("cards", { en, it });
