package recipes

import (
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"marvin/tools/internal/toolstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const host = "www.themealdb.com"

func call(t *testing.T, service http.HandlerFunc, name, args string) (string, error) {
	t.Helper()
	client := toolstest.Client(t, map[string]http.HandlerFunc{host: service})
	return toolstest.Call(t, New(client).Tools(), toolstest.Env(t), name, args)
}

// A meal in the format of https://www.themealdb.com/api.php. Like real ones, it has null, empty and
// blank fields, and a gap between the ingredients.
const adobo = `{"idMeal":"52844","strMeal":"Chicken\nAdobo","strMealAlternate":null,"strCategory":"Chicken","strArea":"Filipino",
 "strInstructions":"Fry it.\r\n\r\n\r\nServe it.\u202e","strTags":"Stew,Easy","strYoutube":"https://www.youtube.com/watch?v=x","strSource":null,
 "strIngredient1":"chicken","strIngredient2":"","strIngredient3":" ","strIngredient4":null,"strIngredient5":"soy sauce","strIngredient20":"onion",
 "strMeasure1":"1.5kg","strMeasure2":"","strMeasure5":null,"strMeasure20":" 1 "}`

func TestSearchByName(t *testing.T) {
	service := toolstest.AnswerPaths(t, map[string]string{"/api/json/v1/1/search.php?s=chicken+adobo": `{"meals":[` + adobo + `]}`})
	got, err := call(t, service, "recipe_search", `{"query":" chicken  adobo "}`)
	want := "1. Chicken Adobo\n   meal_id 52844 · Chicken · Filipino\n   Ingredients: 1.5kg chicken, soy sauce, 1 onion\n   Fry it. Serve it.‹U+202E›"
	if err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestSearchByIngredientHasNameAndNumberOnly(t *testing.T) {
	meals := strings.TrimSuffix(strings.Repeat(`{"strMeal":"A","strMealThumb":"https://x/a.jpg","idMeal":"1"},`, 12), ",")
	service := toolstest.AnswerPaths(t, map[string]string{"/api/json/v1/1/filter.php?i=chicken_breast": `{"meals":[` + meals + `]}`})
	got, err := call(t, service, "recipe_search", `{"query":"chicken breast","type":"Ingredient"}`)
	if err != nil || !strings.HasPrefix(got, "1. A\n   meal_id 1\n\n2. A\n") || !strings.HasSuffix(got, "10. A\n    meal_id 1\n\n2 more were found; ask for something more precise.") {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestLookup(t *testing.T) {
	service := toolstest.AnswerPaths(t, map[string]string{"/api/json/v1/1/lookup.php?i=52844": `{"meals":[` + adobo + `]}`})
	got, err := call(t, service, "recipe_lookup", `{"id":52844}`)
	want := "Chicken Adobo (meal_id 52844)\nChicken · Filipino\nTags: Stew, Easy\n\nIngredients:\n- 1.5kg chicken\n- soy sauce\n- 1 onion\n\nFry it.\n\nServe it.‹U+202E›\n\nVideo: https://www.youtube.com/watch?v=x"
	if err != nil || got != want {
		t.Errorf("%v\n%q", err, got)
	}
	long := strings.Replace(adobo, "Fry it.", strings.Repeat("stir ", 100_000), 1)
	got, err = call(t, toolstest.Status(http.StatusOK, `{"meals":[`+long+`]}`), "recipe_lookup", `{"meal_id":"52844"}`)
	if err != nil || len(got) > 13_000 {
		t.Errorf("%v, %d bytes", err, len(got))
	}
}

func TestMealsIsNullWhenThereAreNone(t *testing.T) {
	for _, body := range []string{`{"meals":null}`, `{"meals":"Invalid ID"}`, `{"meals":[]}`, `{}`} {
		got, err := call(t, toolstest.Status(http.StatusOK, body), "recipe_search", `{"query":"zzz"}`)
		if err != nil || !strings.Contains(got, `No recipe with the name "zzz"`) {
			t.Errorf("%s: %q, %v", body, got, err)
		}
		_, err = call(t, toolstest.Status(http.StatusOK, body), "recipe_lookup", `{"meal_id":"1"}`)
		toolstest.CheckError(t, err, "there is no recipe 1", "recipe_search")
	}
	_, err := call(t, toolstest.Status(http.StatusOK, `{"meals":[1]}`), "recipe_lookup", `{"meal_id":"1"}`)
	toolstest.CheckError(t, err, "may have changed")
	_, err = call(t, nil, "recipe_lookup", `{"meal_id":"adobo"}`)
	toolstest.CheckError(t, err, `"adobo" is not a recipe ID`)
	_, err = call(t, nil, "recipe_search", `{"query":"\n"}`)
	toolstest.CheckError(t, err, "query is empty")
}

func TestTheServiceFails(t *testing.T) {
	for name, args := range map[string]string{"recipe_search": `{"query":"x"}`, "recipe_lookup": `{"meal_id":"1"}`} {
		toolstest.CheckFaults(t, host, func(client *http.Client) (string, error) {
			return toolstest.Call(t, New(client).Tools(), toolstest.Env(t), name, args)
		})
	}
}
