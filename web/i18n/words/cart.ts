import en from "../en/cart.json";
import it from "../it/cart.json";
import { addWords } from "../resources.ts";

addWords("cart", { en, it });
