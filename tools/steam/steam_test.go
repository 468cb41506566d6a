package steam

import (
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"marvin/tools/internal/toolstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	storeHost = "store.steampowered.com"
	apiHost   = "api.steampowered.com"
	player    = `{"steam_id": "76561197960435530"}`
)

func call(t *testing.T, host string, service http.HandlerFunc, name, args string, environ ...string) (string, error) {
	t.Helper()
	client := toolstest.Client(t, map[string]http.HandlerFunc{host: service})
	return toolstest.Call(t, New(client).Tools(), toolstest.Env(t, environ...), name, args)
}

// The reply of /api/storesearch has the format that SearXNG (searx/engines/steam.py) and the typed
// clients on GitHub read: prices in cents, the metascore as text, and no price for games without
// one.
const searched = `{"total":4,"items":[
 {"type":"app","name":"Portal 2","id":620,"price":{"currency":"USD","initial":999,"final":199},"tiny_image":"https://x/1.jpg","metascore":"95","platforms":{"windows":true,"mac":false,"linux":true},"streamingvideo":false,"controller_support":"full"},
 {"type":"app","name":"Portal with\nRTX\u202e","id":2012840,"tiny_image":"","metascore":"","platforms":{"windows":true,"mac":false,"linux":false},"streamingvideo":false},
 {"type":"sub","name":"Portal Bundle","id":7877,"price":{"currency":"USD","initial":1499,"final":1499},"metascore":0,"platforms":{"windows":true,"mac":true,"linux":true}},
 {"type":"app","name":"Left out","id":9,"metascore":"","platforms":{}}]}`

func TestSearchReadsCentsAndMissingPricesAreNotFree(t *testing.T) {
	service := toolstest.AnswerPaths(t, map[string]string{"/api/storesearch/?cc=US&l=english&term=portal": searched})
	got, err := call(t, storeHost, service, "steam_search", `{"term":" portal ","limit":"3"}`)
	want := `1. Portal 2
   1.99 USD (-80%, was 9.99 USD) · Windows, Linux · Metacritic: 95
   app id 620 · https://store.steampowered.com/app/620

2. Portal with RTX‹U+202E›
   no price (free, not released yet, or not for sale) · Windows
   app id 2012840 · https://store.steampowered.com/app/2012840

3. Portal Bundle
   14.99 USD · Windows, macOS, Linux
   sub 7877 (a package of several games, without an app id) · https://store.steampowered.com/sub/7877`
	if err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	got, err = call(t, storeHost, toolstest.Status(http.StatusOK, `{"total":0,"items":[]}`), "steam_search", `{"query":"zzz"}`)
	if err != nil || !strings.Contains(got, `no game called "zzz"`) {
		t.Errorf("%q, %v", got, err)
	}
	_, err = call(t, storeHost, nil, "steam_search", `{"query":" "}`)
	toolstest.CheckError(t, err, "query is empty")
}

func TestTheStoreFails(t *testing.T) {
	for name, args := range map[string]string{"steam_search": `{"query":"x"}`, "steam_app_details": `{"app_id":620}`, "steam_featured": `{}`} {
		toolstest.CheckFaults(t, storeHost, func(client *http.Client) (string, error) {
			return toolstest.Call(t, New(client).Tools(), toolstest.Env(t), name, args)
		})
	}
}

// details returns a reply of appdetails as in the issue "Problem with games" of
// lpradel/steam-web-api-java.
func details(data string) http.HandlerFunc {
	return toolstest.Status(http.StatusOK, `{"620":{"success":true,"data":{"type":"game","name":"Portal 2","steam_appid":620,"required_age":"0",
	"pc_requirements":[],"website":null,"genres":[{"id":"1","description":"Action"},{"id":"25","description":"Adventure"}],
	"categories":[{"id":2,"description":"Single-player"},{"id":1,"description":"b"},{"id":1,"description":"c"},{"id":1,"description":"d"},{"id":1,"description":"e"},{"id":1,"description":"f"},{"id":1,"description":"g"}],
	"platforms":{"windows":true,"mac":true,"linux":true},"developers":["Valve"],"publishers":["Valve"],"dlc":[323180],`+data+`}}}`)
}

func TestDetails(t *testing.T) {
	got, err := call(t, storeHost, details(`"is_free":false,"short_description":"A &quot;test&quot; of <b>`+strings.Repeat("words ", 100)+`",
	"price_overview":{"currency":"USD","initial":999,"final":999,"discount_percent":0,"initial_formatted":"","final_formatted":"$9.99"},
	"metacritic":{"score":95,"url":"https://x"},"recommendations":{"total":412345},"release_date":{"coming_soon":false,"date":"Apr 18, 2011"}`),
		"steam_app_details", `{"app_id":620}`)
	if err != nil {
		t.Fatal(err)
	}
	toolstest.CheckParts(t, got, "Portal 2 (game, app id 620)\nReleased: Apr 18, 2011\nPrice: 9.99 USD\nMetacritic: 95\nReviews: 412,345\n"+
		"Genres: Action, Adventure\nFeatures: Single-player, b, c, d, e, f, 1 more\nDevelopers: Valve\nPublishers: Valve\n"+
		"Platforms: Windows, macOS, Linux\nDLC: 1\nhttps://store.steampowered.com/app/620\nA \"test\" of words")
	if last := got[strings.LastIndexByte(got, '\n')+1:]; len([]rune(last)) > 401 {
		t.Errorf("the description has %d characters", len([]rune(last)))
	}
}

func TestAMissingPriceIsNotFree(t *testing.T) {
	for data, want := range map[string]string{
		`"is_free":true`: "Price: free",
		`"is_free":false,"release_date":{"coming_soon":true,"date":"Q1 2027"}`: "Released: not yet, Q1 2027\nPrice: not announced",
		`"is_free":false`: "Price: not sold separately",
	} {
		got, err := call(t, storeHost, details(data), "steam_app_details", `{"app_id":620}`)
		if err != nil || !strings.Contains(got, want) {
			t.Errorf("%v\n%s", err, got)
		}
	}
}

func TestAppsThatAreNotThere(t *testing.T) {
	for body, want := range map[string]string{
		`{"99":{"success":false}}`:             "no app 99 in the US Steam store",
		`{"620":{"success":true,"data":{}}}`:   "no app 99",
		`{"99":{"success":true,"data":"odd"}}`: "unexpected form",
		`null`:                                 "200 requests in five minutes",
	} {
		_, err := call(t, storeHost, toolstest.Status(http.StatusOK, body), "steam_app_details", `{"app_id":99}`)
		toolstest.CheckError(t, err, want)
	}
	_, err := call(t, storeHost, nil, "steam_app_details", `{"app_id":0}`)
	toolstest.CheckError(t, err, "0 is not an app id", "steam_search")
}

// Both formats are described at https://wiki.teamfortress.com/wiki/User:RJackson/StorefrontAPI
const (
	front = `{"large_capsules":[{"id":1,"type":0,"name":"Big","discounted":true,"discount_percent":50,"original_price":3999,"final_price":1999,"currency":"USD"}],
	"featured_win":[{"id":1,"type":0,"name":"Big","final_price":1999,"currency":"USD"},{"id":730,"type":0,"name":"Shooter","discounted":false,"original_price":null,"final_price":0,"currency":"USD"}],"layout":"defaultv3","status":1}`
	categories = `{"0":{"id":"cat_spotlight","items":[{"name":"Sale","url":"https://x"}]},"specials":{"id":"cat_specials","name":"Specials","items":[{"id":7,"type":0,"name":"Cheap","discounted":true,"discount_percent":75,"original_price":2000,"final_price":500,"currency":"USD"}]},"status":1}`
)

func TestSpecialsComeFromTheCategories(t *testing.T) {
	got, err := call(t, storeHost, toolstest.AnswerPaths(t, map[string]string{"/api/featured/": front, "/api/featuredcategories/": categories}), "steam_featured", `{}`)
	want := "Featured:\n\n1. Big\n   19.99 USD (-50%, was 39.99 USD) · app id 1\n\n2. Shooter\n   no price given · app id 730\n\n" +
		"Specials:\n\n1. Cheap\n   5.00 USD (-75%, was 20.00 USD) · app id 7"
	if err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	got, err = call(t, storeHost, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/featured/" {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		toolstest.Status(http.StatusOK, categories)(w, r)
	}, "steam_featured", `{}`)
	if err != nil || !strings.HasPrefix(got, "Specials:") || !strings.Contains(got, "part of this is missing") {
		t.Errorf("half: %v\n%s", err, got)
	}
	got, err = call(t, storeHost, toolstest.Status(http.StatusOK, `{"status":1}`), "steam_featured", `{}`)
	if err != nil || !strings.Contains(got, "nothing") {
		t.Errorf("empty: %q, %v", got, err)
	}
}

const playersPath, achievementsPath = "/ISteamUserStats/GetNumberOfCurrentPlayers/v1/?appid=620", "/ISteamUserStats/GetGlobalAchievementPercentagesForApp/v2/?gameid=620"

func TestPlayerStatsNeedNoKeyAndReadPercentAsTextOrNumber(t *testing.T) {
	service := toolstest.AnswerPaths(t, map[string]string{
		playersPath:      `{"response":{"player_count":12345,"result":1}}`,
		achievementsPath: `{"achievementpercentages":{"achievements":[{"name":"RARE","percent":"4.1"},{"name":"COMMON","percent":91.25},{"name":"ODD","percent":null}]}}`,
	})
	got, err := call(t, apiHost, service, "steam_player_stats", `{"app_id":620}`)
	want := "Players of app 620 right now: 12,345\nAchievements (3 in all); most players have these:\n1. COMMON: 91.2%\n2. RARE: 4.1%\n3. ODD: 0.0%"
	if err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
}

// fkrzski/laravel-steam-api-sdk#70 shows both failures.
func TestUnknownAppsAndGamesWithoutAchievements(t *testing.T) {
	_, err := call(t, apiHost, toolstest.Status(http.StatusNotFound, `{"response":{"result":42}}`), "steam_player_stats", `{"app_id":620}`)
	toolstest.CheckError(t, err, "reports no player count for app 620", "steam_search")
	_, err = call(t, apiHost, toolstest.Status(http.StatusOK, `{"response":{"result":42}}`), "steam_player_stats", `{"app_id":620}`)
	toolstest.CheckError(t, err, "reports no player count for app 620")
	for status, want := range map[int]string{http.StatusForbidden: "has no achievements", http.StatusBadGateway: "not available: api.steampowered.com answered 502"} {
		got, err := call(t, apiHost, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.RequestURI() == playersPath {
				toolstest.Status(http.StatusOK, `{"response":{"player_count":3,"result":1}}`)(w, r)
				return
			}
			toolstest.Status(status, `{}`)(w, r)
		}, "steam_player_stats", `{"app_id":620}`)
		if err != nil || !strings.Contains(got, "right now: 3\n") || !strings.Contains(got, want) {
			t.Errorf("%q, %v", got, err)
		}
	}
}

// keyed serves the Web API for one key. It accepts the key only in the header.
func keyed(t *testing.T, answer string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.RawQuery, "S3cr3t") {
			t.Errorf("the key is in the query: %s", r.URL.RawQuery)
		}
		if r.Header.Get("X-Webapi-Key") != "S3cr3t" {
			toolstest.Status(http.StatusUnauthorized, "<html><head><title>Unauthorized</title></head></html>")(w, r)
			return
		}
		toolstest.Status(http.StatusOK, answer)(w, r)
	}
}

func TestOwnedGames(t *testing.T) {
	got, err := call(t, apiHost, keyed(t, `{"response":{"game_count":2,"games":[{"appid":10,"name":"CS","playtime_forever":30,"rtime_last_played":0},
	 {"appid":620,"name":"Portal 2 🧪","playtime_forever":1234,"playtime_2weeks":90}]}}`), "steam_user_games", player, "STEAM_API_KEY=S3cr3t")
	if want := "Games of 76561197960435530: 2\n\n1. Portal 2 🧪\n   20.6 h · 1.5 h in the last two weeks · app id 620\n\n2. CS\n   0.5 h · app id 10"; err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	got, err = call(t, apiHost, keyed(t, `{"response":{}}`), "steam_user_games", player, "STEAM_API_KEY=S3cr3t")
	if err != nil || !strings.Contains(got, "private") {
		t.Errorf("private: %q, %v", got, err)
	}
	got, err = call(t, apiHost, keyed(t, `{"response":{"game_count":0}}`), "steam_user_games", player, "STEAM_API_KEY=S3cr3t")
	if err != nil || got != "Games of 76561197960435530: 0" {
		t.Errorf("none: %q, %v", got, err)
	}
}

func TestPlayerSummary(t *testing.T) {
	answer := `{"response":{"players":[{"steamid":"76561197960435530","communityvisibilitystate":3,"profilestate":1,"personaname":"Robin","personastate":6,
	 "gameextrainfo":"Team Fortress 2","gameid":"440","profileurl":"https://steamcommunity.com/id/robinwalker/","timecreated":1063407589}]}}`
	got, err := call(t, apiHost, keyed(t, answer), "steam_user_summary", `{"steam_id":"https://steamcommunity.com/profiles/76561197960435530/"}`, "STEAM_API_KEY=S3cr3t")
	if want := "Robin (76561197960435530)\nStatus: Looking to play\nPlaying: Team Fortress 2\nOn Steam since: 2003-09-12\nhttps://steamcommunity.com/id/robinwalker/"; err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	got, err = call(t, apiHost, keyed(t, strings.ReplaceAll(answer, `state":3`, `state":1`)), "steam_user_summary", player, "STEAM_API_KEY=S3cr3t")
	if err != nil || !strings.Contains(got, "The profile is private") {
		t.Errorf("private: %q, %v", got, err)
	}
	_, err = call(t, apiHost, keyed(t, `{"response":{"players":[]}}`), "steam_user_summary", player, "STEAM_API_KEY=S3cr3t")
	toolstest.CheckError(t, err, "no player 76561197960435530")
}

func TestSteamIDsKeepTheirDigits(t *testing.T) {
	seen := ""
	service := func(w http.ResponseWriter, r *http.Request) {
		seen = r.URL.Query().Get("steamid")
		toolstest.Status(http.StatusOK, `{"response":{}}`)(w, r)
	}
	if _, err := call(t, apiHost, service, "steam_user_games", `{"steam_id":76561197960435531}`, "STEAM_API_KEY=k"); err != nil || seen != "76561197960435531" {
		t.Errorf("asked for %s: %v", seen, err)
	}
	for _, id := range []string{"gabelogannewell", "12", "https://steamcommunity.com/id/robinwalker", "7656119796043553a", "-6561197960435530"} {
		_, err := call(t, apiHost, service, "steam_user_games", `{"steam_id":"`+id+`"}`, "STEAM_API_KEY=k")
		toolstest.CheckError(t, err, "not a 64-bit Steam ID", "17 digits")
	}
}

func TestKeys(t *testing.T) {
	for _, name := range []string{"steam_user_games", "steam_user_summary"} {
		_, err := call(t, apiHost, func(http.ResponseWriter, *http.Request) { t.Error("asked without a key") }, name, player)
		toolstest.CheckError(t, err, "no Steam key is set", "STEAM_API_KEY", "https://steamcommunity.com/dev/apikey")
		_, err = call(t, apiHost, keyed(t, ""), name, player, "STEAM_API_KEY=wr0ng")
		toolstest.CheckError(t, err, "rejected by Steam")
		if strings.Contains(err.Error(), "wr0ng") {
			t.Errorf("the key is in %v", err)
		}
		toolstest.CheckFaults(t, apiHost, func(client *http.Client) (string, error) {
			return toolstest.Call(t, New(client).Tools(), toolstest.Env(t, "STEAM_API_KEY=k"), name, player)
		})
	}
}
