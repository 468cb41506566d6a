package steam

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"

	"marvin/messages/lists"
	"marvin/tools"
	"marvin/tools/internal/markup"
	"marvin/tools/internal/show"
)

type appArgs struct {
	App int `json:"app_id" doc:"The game's ID, from steam_search" alias:"appid,id" example:"620"`
}

func (a appArgs) check() error {
	if a.App <= 0 {
		return tools.Advise(fmt.Errorf("%d is not an app id", a.App), "Find the game's app id with steam_search.")
	}
	return nil
}

func (s Service) detailsTool() tools.Tool {
	return tools.New(tools.Def[appArgs]{
		Name:     "steam_app_details",
		Doc:      "Show a game from the Steam store: price, release date, reviews, genres, developer, platforms, description.",
		Examples: []string{"details of steam game {620|app_id}", "tell me about the steam app {620|app_id}"},
		Pool:     tools.Net, Service: "store.steampowered.com",
		Run: s.details,
	})
}

type app struct {
	Name          string
	Type          string
	IsFree        bool   `json:"is_free"`
	Description   string `json:"short_description"`
	Developers    []string
	Publishers    []string
	PriceOverview *price `json:"price_overview"`
	Platforms     platforms
	Metacritic    *struct{ Score json.RawMessage }
	Genres        []described
	Categories    []described
	DLC           []int
	Reviews       *struct{ Total int } `json:"recommendations"`
	ReleaseDate   struct {
		ComingSoon bool `json:"coming_soon"`
		Date       string
	} `json:"release_date"`
}

type described struct{ Description string }

func (s Service) details(ctx context.Context, _ tools.Env, in appArgs) (tools.Output, error) {
	if err := in.check(); err != nil {
		return tools.Output{}, err
	}
	id := strconv.Itoa(in.App)
	var answer map[string]struct {
		Success bool
		Data    json.RawMessage // an object, or [] if there is no data
	}
	if err := s.store(ctx, "/api/appdetails", url.Values{"appids": {id}}, &answer); err != nil {
		return tools.Output{}, err
	}
	if answer == nil { // if requests are too frequent, the store replies null with status 200
		return tools.Output{}, errTooOften
	}
	if !answer[id].Success {
		return tools.Output{}, unknownApp(in.App)
	}
	var game app
	if err := json.Unmarshal(answer[id].Data, &game); err != nil {
		return tools.Output{}, fmt.Errorf("the Steam store describes app %d in an unexpected form; the store may have changed. Try again later", in.App)
	}
	return tools.Output{Text: game.text(in.App)}, nil
}

func unknownApp(id int) error {
	return tools.Advise(fmt.Errorf("there is no app %d in the US Steam store", id), "Find the app id with steam_search.")
}

func (a app) text(id int) string {
	metacritic, reviews, extras := "", "", ""
	if a.Metacritic != nil {
		metacritic = score(a.Metacritic.Score)
	}
	if a.Reviews != nil {
		reviews = show.Count(a.Reviews.Total)
	}
	if len(a.DLC) > 0 {
		extras = strconv.Itoa(len(a.DLC))
	}
	return show.Block([]string{
		show.Line(a.Name, 120) + " (" + show.Join(", ", show.Line(a.Type, 20), "app id "+strconv.Itoa(id)) + ")",
		show.Label("Released", a.released()),
		show.Label("Price", a.cost()),
		show.Label("Metacritic", metacritic),
		show.Label("Reviews", reviews),
		show.Label("Genres", show.FirstNames(names(a.Genres), 10)),
		show.Label("Features", show.FirstNames(names(a.Categories), 6)),
		show.Label("Developers", show.FirstNames(a.Developers, 5)),
		show.Label("Publishers", show.FirstNames(a.Publishers, 5)),
		show.Label("Platforms", a.Platforms.String()),
		show.Label("DLC", extras),
		page("app", id),
		show.Line(markup.Text(a.Description), 400),
	}, "")
}

func (a app) released() string {
	date := show.Line(a.ReleaseDate.Date, 40)
	if a.ReleaseDate.ComingSoon {
		return show.Join(", ", "not yet", date)
	}
	return date
}

// cost returns the price of a game, "free", or the reason why there is no price.
func (a app) cost() string {
	switch {
	case a.IsFree:
		return "free"
	case a.PriceOverview != nil:
		return a.PriceOverview.String()
	case a.ReleaseDate.ComingSoon:
		return "not announced"
	}
	return "not sold separately"
}

func names(list []described) []string {
	return lists.Map(list, func(entry described) string { return entry.Description })
}

func (s Service) featuredTool() tools.Tool {
	return tools.New(tools.Def[struct{}]{
		Name:     "steam_featured",
		Doc:      "List featured games and special offers in the Steam store, with discounts.",
		Examples: []string{"what is on sale on steam", "featured games on steam", "steam deals"},
		Pool:     tools.Net, Service: "store.steampowered.com",
		Run: s.featured,
	})
}

// offer is a featured game or a special offer. The prices are in hundredths of the currency unit.
type offer struct {
	ID       int
	Name     string
	Original *int `json:"original_price"`
	Final    *int `json:"final_price"`
	Currency string
}

func (s Service) featured(ctx context.Context, _ tools.Env, _ struct{}) (tools.Output, error) {
	var front struct {
		Windows  []offer `json:"featured_win"`
		Large    []offer `json:"large_capsules"`
		Specials struct{ Items []offer }
	}
	var categories struct{ Specials struct{ Items []offer } }
	frontErr := s.store(ctx, "/api/featured/", url.Values{}, &front)
	categoriesErr := s.store(ctx, "/api/featuredcategories/", url.Values{}, &categories)
	specials := append(categories.Specials.Items, front.Specials.Items...)
	featured, specials := unique(append(front.Large, front.Windows...), 8), unique(specials, 10)
	if len(featured)+len(specials) == 0 {
		if err := errors.Join(frontErr, categoriesErr); err != nil {
			return tools.Output{}, err
		}
		return tools.Output{Text: "The Steam store features nothing at the moment."}, nil
	}
	text := show.Join("\n\n", section("Featured", featured), section("Specials", specials))
	if frontErr != nil || categoriesErr != nil {
		text += "\n\n[part of this is missing: the store did not answer every request]"
	}
	return tools.Output{Text: text}, nil
}

// unique returns at most the given number of offers. It omits repeated ones, because the store
// lists a game in several categories.
func unique(offers []offer, limit int) []offer {
	var kept []offer
	seen := map[int]bool{}
	for _, each := range offers {
		if len(kept) < limit && !seen[each.ID] {
			seen[each.ID] = true
			kept = append(kept, each)
		}
	}
	return kept
}

func section(title string, offers []offer) string {
	if len(offers) == 0 {
		return ""
	}
	items := make([][]string, len(offers))
	for i, each := range offers {
		cost := "no price given"
		if each.Final != nil && *each.Final > 0 {
			sum := price{Currency: each.Currency, Final: *each.Final}
			if each.Original != nil {
				sum.Initial = *each.Original
			}
			cost = sum.String()
		}
		items[i] = []string{show.Line(each.Name, 120), cost + " · app id " + strconv.Itoa(each.ID)}
	}
	return title + ":\n\n" + show.List(items)
}
