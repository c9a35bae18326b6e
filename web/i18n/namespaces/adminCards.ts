import en from "../en/adminCards.json";
import it from "../it/adminCards.json";
import { addNamespace } from "../resources.ts";

addNamespace("adminCards", { en, it });
