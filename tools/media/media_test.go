package media

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"marvin/tools/internal/toolstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func call(t *testing.T, services map[string]http.HandlerFunc, key, name, args string) (string, error) {
	t.Helper()
	return toolstest.Call(t, New(toolstest.Client(t, services)).Tools(), toolstest.Env(t, key), name, args)
}

// The replies follow the examples at https://www.omdbapi.com/ for s= and t=. Its errors have status
// 200 or 401.
const (
	omdbSearch = `{"Search":[{"Title":"Blade Runner","Year":"1982","imdbID":"tt0083658","Type":"movie","Poster":"N/A"},{"Title":"Blade\u202eRunner\n2049","Year":"2017","imdbID":"tt1856101","Type":"movie","Poster":"N/A"}],"totalResults":"2","Response":"True"}`
	omdbMovie  = `{"Title":"Blade Runner","Year":"1982","Rated":"R","Released":"25 Jun 1982","Runtime":"117 min","Genre":"Action, Drama","Director":"Ridley Scott","Writer":"N/A","Actors":"Harrison Ford, Rutger Hauer","Plot":"A blade runner must pursue.","Language":"English","Country":"United States","Awards":"Nominated for 2 Oscars","Poster":"N/A","Ratings":[{"Source":"Internet Movie Database","Value":"8.1/10"},{"Source":"Rotten Tomatoes","Value":"89%"},{"Source":"Metacritic","Value":"N/A"}],"Metascore":"N/A","imdbID":"tt0083658","Type":"movie","DVD":"N/A","BoxOffice":"N/A","Response":"True"}`
	webPage    = `<div class="result"><a class="result__a" href="https://m.example/">A review</a><a class="result__snippet">8 of 10</a></div>`
)

func TestMovies(t *testing.T) {
	asked := ""
	answer := func(body string) map[string]http.HandlerFunc {
		return map[string]http.HandlerFunc{"www.omdbapi.com": func(w http.ResponseWriter, r *http.Request) {
			asked = r.URL.RawQuery
			_, _ = io.WriteString(w, body)
		}}
	}
	for name, test := range map[string]struct{ tool, args, body, asked, want string }{
		"search": {
			"search_movies", `{"query":"blade runner","year":1982,"type":"MOVIE"}`, omdbSearch, "apikey=k3y&s=blade+runner&type=movie&y=1982",
			"1. Blade Runner (1982) [movie] — tt0083658\n\n2. Blade‹U+202E›Runner 2049 (2017) [movie] — tt1856101",
		},
		"nothing": {
			"search_movies", `{"query":"xyzzy"}`, `{"Response":"False","Error":"Movie not found!"}`, "apikey=k3y&s=xyzzy",
			`No title matches "xyzzy" (Movie not found!). Try fewer words, or leave out the year and the type.`,
		},
		"details without N/A": {
			"get_movie_details", `{"title":"Blade Runner"}`, omdbMovie, "apikey=k3y&plot=full&t=Blade+Runner",
			"Blade Runner (1982, movie)\nR, 117 min, Action, Drama\nReleased: 25 Jun 1982\nDirector: Ridley Scott\nActors: Harrison Ford, Rutger Hauer\nCountry: United States\nLanguage: English\n" +
				"Ratings: Internet Movie Database 8.1/10, Rotten Tomatoes 89%\nAwards: Nominated for 2 Oscars\nPlot: A blade runner must pursue.\nhttps://www.imdb.com/title/tt0083658/",
		},
		"the id wins": {"get_movie_details", `{"imdb_id":"tt1","title":"x"}`, `{"Title":"X","Response":"True"}`, "apikey=k3y&i=tt1&plot=full", "X (year unknown)"},
	} {
		got, err := call(t, answer(test.body), "OMDB_API_KEY=k3y", test.tool, test.args)
		if err != nil || got != test.want || asked != test.asked {
			t.Errorf("%s: %q, %v, asked %s", name, got, err, asked)
		}
	}
}

// The replies have the format of https://api.rawg.io/docs/. One game is an extract of the reply for
// 3498.
const (
	rawgSearch = `{"count":2,"next":null,"previous":null,"results":[{"id":4200,"slug":"portal-2","name":"Portal 2","released":"2011-04-18","tba":false,"rating":4.61,"rating_top":5,"ratings":[],"metacritic":95,"platforms":[{"platform":{"id":14,"name":"Xbox 360"}},{"platform":{"id":6,"name":"Linux"}},{"platform":{"id":5,"name":"macOS"}},{"platform":{"id":4,"name":"PC"}},{"platform":{"id":1,"name":"Xbox One"}}]},{"id":5,"slug":"p","name":"Portal 9","released":null,"tba":true,"rating":0,"metacritic":null,"platforms":null}]}`
	rawgGame   = `{"id":3498,"slug":"grand-theft-auto-v","name":"Grand Theft Auto V","released":"2013-09-17","tba":false,"rating":4.47,"rating_top":5,"ratings":[{"id":5,"title":"exceptional","count":4061,"percent":58.97},{"id":1,"title":"skip","count":126,"percent":1.83}],"ratings_count":6785,"metacritic":92,"playtime":74,"platforms":[{"platform":{"id":4,"name":"PC"},"released_at":"2013-09-17"}],"genres":[{"id":4,"name":"Action"}],"developers":[{"id":3524,"name":"Rockstar North"}],"publishers":[{"id":2155,"name":"Rockstar Games"}],"website":"http://www.rockstargames.com/V/","description":"<p>Rockstar &amp; co</p>","description_raw":""}`
)

func TestGames(t *testing.T) {
	rawg := toolstest.AnswerPaths(t, map[string]string{
		"/api/games?key=k3y&page_size=2&search=portal": rawgSearch,
		"/api/games?key=k3y&page_size=10&search=xyzzy": `{"count":0,"results":[]}`,
		"/api/games/3498?key=k3y":                      rawgGame,
		"/api/games/gta-v?key=k3y":                     `{"redirect":true,"slug":"grand-theft-auto-v"}`,
		"/api/games/grand-theft-auto-v?key=k3y":        rawgGame,
		"/api/games/..%2F..%2Fusers%3Fq=1?key=k3y":     `{}`,
		"/api/games/loops?key=k3y":                     `{"redirect":true,"slug":"loops"}`,
	})
	details := "Grand Theft Auto V (2013-09-17)\nRating: 4.47/5, Metacritic: 92 (6,785 ratings)\nRatings: exceptional 59%, skip 2%\nPlatforms: PC\nGenres: Action\n" +
		"Developers: Rockstar North\nPublishers: Rockstar Games\nPlaytime: about 74 hours\nWebsite: http://www.rockstargames.com/V/\nRockstar & co\nRAWG id: 3498"
	for _, test := range []struct{ tool, args, want string }{
		{"search_games", `{"query":"portal","max_results":2}`, "1. Portal 2 (2011-04-18)\n   Rating: 4.61/5, Metacritic: 95\n   Platforms: Xbox 360, Linux, macOS, PC, 1 more\n   RAWG id: 4200\n\n2. Portal 9 (to be announced)\n   No ratings\n   RAWG id: 5"},
		{"search_games", `{"query":"xyzzy","max_results":99}`, `No game is called "xyzzy". Try fewer words.`},
		{"get_game_details", `{"id":3498}`, details},
		{"get_game_details", `{"game_id":"GTA V"}`, details},
	} {
		got, err := call(t, map[string]http.HandlerFunc{"api.rawg.io": rawg}, "RAWG_API_KEY=k3y", test.tool, test.args)
		if err != nil || got != test.want {
			t.Errorf("%s %s: %q, %v", test.tool, test.args, got, err)
		}
	}
	for args, want := range map[string]string{`{"game_id":"../../users?q=1"}`: "RAWG has no details", `{"game_id":"loops"}`: "RAWG has no details", `{"game_id":".."}`: "game_id is empty"} {
		_, err := call(t, map[string]http.HandlerFunc{"api.rawg.io": rawg}, "RAWG_API_KEY=k3y", "get_game_details", args)
		toolstest.CheckError(t, err, want, "search_games")
	}
}

func TestWithoutAKeyTheWebIsSearched(t *testing.T) {
	for _, test := range []struct{ tool, args, query, key string }{
		{"search_movies", `{"query":"Dune","year":"1984"}`, "Dune movie 1984", "OMDB_API_KEY"},
		{"get_movie_details", `{"imdb_id":"tt1"}`, "tt1 movie review rating", "OMDB_API_KEY"},
		{"search_games", `{"query":"Portal"}`, "Portal video game review", "RAWG_API_KEY"},
	} {
		got, err := call(t, map[string]http.HandlerFunc{"html.duckduckgo.com": func(w http.ResponseWriter, r *http.Request) {
			if q := r.PostFormValue("q"); q != test.query {
				t.Errorf("%s searched %q", test.tool, q)
			}
			_, _ = io.WriteString(w, webPage)
		}}, "", test.tool, test.args)
		if err != nil {
			t.Fatal(err)
		}
		toolstest.CheckParts(t, got, "1. A review\n   https://m.example/\n   8 of 10", "With a key in "+test.key)
	}
	_, err := call(t, nil, "", "get_game_details", `{"game_id":1}`)
	toolstest.CheckError(t, err, "need a key, but RAWG_API_KEY is not set", "search_games")
	_, err = call(t, map[string]http.HandlerFunc{"html.duckduckgo.com": toolstest.Status(202, "")}, "", "search_games", `{"query":"x"}`)
	toolstest.CheckError(t, err, "puzzle", "With a key in RAWG_API_KEY")
}

func TestKeysThatAreWrongOrUsedUpAreSaidSo(t *testing.T) {
	const wrong, used = `{"Response":"False","Error":"Invalid API key!"}`, `{"Response":"False","Error":"Request limit reached!"}`
	for name, test := range map[string]struct {
		host, key, tool, args string
		handler               http.HandlerFunc
		want                  string
	}{
		"wrong":           {"www.omdbapi.com", "OMDB_API_KEY=k3y", "search_movies", `{"query":"x"}`, toolstest.Status(401, wrong), "rejects the key in OMDB_API_KEY"},
		"wrong, with 200": {"www.omdbapi.com", "OMDB_API_KEY=k3y", "get_movie_details", `{"title":"x"}`, toolstest.Status(200, wrong), "rejects the key in OMDB_API_KEY"},
		"used up":         {"www.omdbapi.com", "OMDB_API_KEY=k3y", "search_movies", `{"query":"x"}`, toolstest.Status(401, used), "no requests left for today"},
		"used, with 200":  {"www.omdbapi.com", "OMDB_API_KEY=k3y", "search_movies", `{"query":"x"}`, toolstest.Status(200, used), "no requests left for today"},
		"not there":       {"www.omdbapi.com", "OMDB_API_KEY=k3y", "get_movie_details", `{"imdb_id":"tt0"}`, toolstest.Status(200, `{"Response":"False","Error":"Incorrect IMDb ID."}`), "Find it with search_movies"},
		"neither":         {"www.omdbapi.com", "OMDB_API_KEY=k3y", "get_movie_details", `{}`, toolstest.Status(200, ""), "Give one of them"},
		"RAWG":            {"api.rawg.io", "RAWG_API_KEY=k3y", "search_games", `{"query":"x"}`, toolstest.Status(401, `{"error":"The API key is not found"}`), "rejects the key in RAWG_API_KEY"},
		"no such game":    {"api.rawg.io", "RAWG_API_KEY=k3y", "get_game_details", `{"game_id":"9"}`, toolstest.Status(404, `{"detail":"Not found."}`), "search_games"},
	} {
		_, err := call(t, map[string]http.HandlerFunc{test.host: test.handler}, test.key, test.tool, test.args)
		toolstest.CheckError(t, err, test.want)
		if err != nil && strings.Contains(err.Error(), "k3y") {
			t.Errorf("%s: the key is in %v", name, err)
		}
	}
}

func TestServicesThatFail(t *testing.T) {
	for host, test := range map[string]struct{ key, tool, args string }{
		"www.omdbapi.com": {"OMDB_API_KEY=k3y", "search_movies", `{"query":"x"}`},
		"api.rawg.io":     {"RAWG_API_KEY=k3y", "get_game_details", `{"game_id":"1"}`},
	} {
		toolstest.CheckFaults(t, host, func(client *http.Client) (string, error) {
			return toolstest.Call(t, New(client).Tools(), toolstest.Env(t, test.key), test.tool, test.args)
		})
	}
}
