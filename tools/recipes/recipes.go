package recipes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

const (
	serviceURL  = "https://www.themealdb.com/api/json/v1/1/" // the key "1" is public: https://www.themealdb.com/api.php
	answerLimit = 4 << 20
	resultLimit = 10
)

// Service searches TheMealDB.
type Service struct{ client *http.Client }

// New returns a service.
func New(client *http.Client) Service { return Service{client: client} }

// Tools returns the tools of this category.
func (s Service) Tools() []tools.Tool { return []tools.Tool{s.searchTool(), s.lookupTool()} }

// meal contains the fields of a recipe. The ingredients are 20 separate fields, each of which may
// be null, empty or blank.
type meal map[string]any

func (m meal) text(field string) string {
	text, _ := m[field].(string)
	return strings.TrimSpace(text)
}

// ingredients returns at most the given number of ingredients, each with its measure.
func (m meal) ingredients(limit int) []string {
	var list []string
	for i := 1; i <= 20 && len(list) < limit; i++ {
		number := strconv.Itoa(i)
		if name := m.text("strIngredient" + number); name != "" {
			list = append(list, show.Line(m.text("strMeasure"+number)+" "+name, 100))
		}
	}
	return list
}

func (m meal) kind() string {
	return show.Join(" · ", show.Line(m.text("strCategory"), 40), show.Line(m.text("strArea"), 40))
}

// get fetches meals from the service. In the reply, Meals is null if nothing matches, and a string
// if the ID is not a number.
func (s Service) get(ctx context.Context, page string, query url.Values) ([]meal, error) {
	var answer struct{ Meals json.RawMessage }
	if err := web.GetJSON(ctx, s.client, serviceURL+page+"?"+query.Encode(), answerLimit, &answer); err != nil {
		return nil, err
	}
	var said string
	if len(answer.Meals) == 0 || json.Unmarshal(answer.Meals, &said) == nil { // null decodes into a string without an error
		return nil, nil
	}
	var meals []meal
	if err := json.Unmarshal(answer.Meals, &meals); err != nil {
		return nil, errors.New("TheMealDB answered in an unexpected form; the service may have changed")
	}
	return meals, nil
}

type searchArgs struct {
	Query string `json:"query" doc:"Name of a dish, or one ingredient" alias:"q,name,ingredient" example:"lasagne"`
	Type  string `json:"search_type" doc:"Search by the name of a dish or by ingredient" default:"name" enum:"name,ingredient" alias:"type"`
}

func (s Service) searchTool() tools.Tool {
	return tools.New(tools.Def[searchArgs]{
		Name:     "recipe_search",
		Doc:      "Find recipes by the name of a dish or by one main ingredient. recipe_lookup shows a whole recipe.",
		Examples: []string{"find a recipe for {lasagne|query}", "recipe for {pancakes|query}", "what can I cook with {salmon|query}", "recipes by {ingredient|search_type} {chicken|query}"},
		Pool:     tools.Net, Service: "www.themealdb.com",
		Run: s.search,
	})
}

func (s Service) search(ctx context.Context, _ tools.Env, in searchArgs) (tools.Output, error) {
	text := strings.Join(strings.Fields(in.Query), " ")
	if text == "" {
		return tools.Output{}, tools.Advise(errors.New("the query is empty"), "Name a dish or an ingredient.")
	}
	page, query := "search.php", url.Values{"s": {text}}
	if in.Type == "ingredient" {
		page, query = "filter.php", url.Values{"i": {strings.ReplaceAll(text, " ", "_")}}
	}
	meals, err := s.get(ctx, page, query)
	if err != nil {
		return tools.Output{}, err
	}
	if len(meals) == 0 {
		return tools.NoResults(fmt.Sprintf("No recipe with the %s %q. Try one English word in the singular, or the other search_type.", in.Type, text)), nil
	}
	items := make([][]string, min(resultLimit, len(meals)))
	for i, meal := range meals[:len(items)] { // filter.php returns only name, id and picture
		items[i] = []string{
			show.Line(meal.text("strMeal"), 120),
			show.Join(" · ", "meal_id "+show.Line(meal.text("idMeal"), 20), meal.kind()),
			show.Label("Ingredients", strings.Join(meal.ingredients(10), ", ")),
			show.Line(meal.text("strInstructions"), 200),
		}
	}
	result := show.List(items)
	if more := len(meals) - len(items); more > 0 {
		result += fmt.Sprintf("\n\n%d more were found; ask for something more precise.", more)
	}
	return tools.Output{Text: result}, nil
}

type lookupArgs struct {
	ID string `json:"meal_id" doc:"The recipe's ID, from recipe_search" alias:"id" example:"52844"`
}

func (s Service) lookupTool() tools.Tool {
	return tools.New(tools.Def[lookupArgs]{
		Name:     "recipe_lookup",
		Doc:      "Show a whole recipe: ingredients with amounts, method, source and video.",
		Examples: []string{"show the recipe {52844|meal_id}", "how do I cook meal {52844|meal_id}"},
		Pool:     tools.Net, Service: "www.themealdb.com",
		Run: s.lookup,
	})
}

func (s Service) lookup(ctx context.Context, _ tools.Env, in lookupArgs) (tools.Output, error) {
	id := strings.TrimSpace(in.ID)
	if _, err := strconv.ParseUint(id, 10, 64); err != nil {
		return tools.Output{}, tools.Advise(fmt.Errorf("%q is not a recipe ID", show.Line(id, 80)), "Find it with recipe_search.")
	}
	meals, err := s.get(ctx, "lookup.php", url.Values{"i": {id}})
	if err != nil {
		return tools.Output{}, err
	}
	if len(meals) == 0 {
		return tools.Output{}, tools.Advise(fmt.Errorf("there is no recipe %s", id), "Find one with recipe_search.")
	}
	meal := meals[0]
	head := show.Block([]string{
		show.Line(meal.text("strMeal"), 120) + " (meal_id " + id + ")",
		meal.kind(),
		show.Label("Tags", show.Line(strings.ReplaceAll(meal.text("strTags"), ",", ", "), 200)),
	}, "")
	return tools.Output{Text: show.Join("\n\n",
		head,
		show.Block(append([]string{"Ingredients:"}, meal.ingredients(20)...), "- "),
		show.Text(meal.text("strInstructions"), 12_000),
		show.Block([]string{
			show.Label("Source", show.Line(meal.text("strSource"), 300)),
			show.Label("Video", show.Line(meal.text("strYoutube"), 300)),
		}, ""),
	)}, nil
}
