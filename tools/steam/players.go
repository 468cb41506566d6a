package steam

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

func (s Service) statsTool() tools.Tool {
	return tools.New(tools.Def[appArgs]{
		Name:     "steam_player_stats",
		Doc:      "Show how many people are playing a Steam game, and its most common achievements.",
		Examples: []string{"how many people are playing steam game {620|app_id}", "achievements of the steam app {620|app_id}"},
		Pool:     tools.Net, Service: "api.steampowered.com",
		Run: s.stats,
	})
}

// achievement contains an achievement's name and the percentage of players who have the
// achievement. Steam sends the percentage as a number or as a string.
type achievement struct {
	Name    string
	Percent json.RawMessage
}

func (a achievement) share() float64 {
	share, _ := strconv.ParseFloat(strings.Trim(string(a.Percent), `" `), 64) // an unreadable number counts as 0
	return share
}

func (s Service) stats(ctx context.Context, _ tools.Env, in appArgs) (tools.Output, error) {
	if err := in.check(); err != nil {
		return tools.Output{}, err
	}
	var now struct {
		Response struct {
			Players *int `json:"player_count"`
		}
	}
	err := web.GetJSON(ctx, s.client, fmt.Sprintf("%s/ISteamUserStats/GetNumberOfCurrentPlayers/v1/?appid=%d", apiURL, in.App), answerLimit, &now)
	// If there is no player count, Steam's reply contains the result code 42.
	if web.HasStatus(err, http.StatusNotFound) || err == nil && now.Response.Players == nil {
		return tools.Output{}, tools.Advise(fmt.Errorf("Steam reports no player count for app %d", in.App), "Find the game's app id with steam_search; packages and videos have no player counts.")
	}
	if err != nil {
		return tools.Output{}, err
	}
	text := fmt.Sprintf("Players of app %d right now: %s", in.App, show.Count(*now.Response.Players))
	var shares struct {
		Percentages struct{ Achievements []achievement } `json:"achievementpercentages"`
	}
	err = web.GetJSON(ctx, s.client, fmt.Sprintf("%s/ISteamUserStats/GetGlobalAchievementPercentagesForApp/v2/?gameid=%d", apiURL, in.App), answerLimit, &shares)
	switch achievements := shares.Percentages.Achievements; {
	case web.HasStatus(err, http.StatusForbidden), err == nil && len(achievements) == 0:
		text += "\nThe game has no achievements."
	case err != nil:
		text += "\nIts achievements are not available: " + err.Error()
	default:
		slices.SortStableFunc(achievements, func(a, b achievement) int { return cmp.Compare(b.share(), a.share()) })
		text += fmt.Sprintf("\nAchievements (%d in all); most players have these:", len(achievements))
		for i, each := range achievements[:min(10, len(achievements))] {
			text += fmt.Sprintf("\n%d. %s: %.1f%%", i+1, show.Line(each.Name, 80), each.share())
		}
	}
	return tools.Output{Text: text}, nil
}

type playerArgs struct {
	// The ID is a string, because a float64 cannot represent all 17-digit integers exactly.
	Player string `json:"steam_id" doc:"The player's 64-bit Steam ID, 17 digits" alias:"steamid,steam_id64,user_id" example:"76561197960435530"`
}

// id extracts the Steam ID from Player. A profile's address is accepted if its last element is the
// ID.
func (a playerArgs) id() (string, error) {
	text := strings.TrimSuffix(strings.TrimSpace(a.Player), "/")
	text = text[strings.LastIndexByte(text, '/')+1:]
	if _, err := strconv.ParseUint(text, 10, 64); err != nil || len(text) != 17 {
		return "", tools.Advise(fmt.Errorf("%q is not a 64-bit Steam ID", show.Line(a.Player, 80)),
			"It has 17 digits and begins with 7656119. In Steam it is shown under Account details; for a profile with a custom name, steamid.io finds it.")
	}
	return text, nil
}

// player looks up data about a player in the Web API, and decodes the reply into value. The Web API
// requires STEAM_API_KEY.
func (s Service) player(ctx context.Context, env tools.Env, path string, query url.Values, value any) error {
	key := env.Key("STEAM_API_KEY")
	if key == "" {
		return tools.Advise(errors.New("no Steam key is set"),
			"To look up players, the user must set STEAM_API_KEY. You can get a free key at https://steamcommunity.com/dev/apikey")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, apiURL+path+"?"+query.Encode(), http.NoBody)
	if err != nil {
		return fmt.Errorf("ask Steam: %w", err)
	}
	request.Header.Set("X-Webapi-Key", key)
	err = web.AskJSON(s.client, request, answerLimit, value)
	if web.HasStatus(err, http.StatusUnauthorized, http.StatusForbidden) {
		return tools.Advise(errors.New("the key in STEAM_API_KEY is rejected by Steam"), "Check it at https://steamcommunity.com/dev/apikey; it may have been revoked.")
	}
	return err
}

func (s Service) gamesTool() tools.Tool {
	return tools.New(tools.Def[playerArgs]{
		Name:     "steam_user_games",
		Keys:     "STEAM_API_KEY, required",
		Doc:      "List the games that a Steam player owns, most played first, with hours.",
		Examples: []string{"what games does steam user {76561197960435530|steam_id} own", "steam library of {76561197960435530|steam_id}"},
		Pool:     tools.Net, Service: "api.steampowered.com",
		Run: s.games,
	})
}

type owned struct {
	App     int `json:"appid"`
	Name    string
	Minutes int `json:"playtime_forever"`
	Lately  int `json:"playtime_2weeks"`
}

func (s Service) games(ctx context.Context, env tools.Env, in playerArgs) (tools.Output, error) {
	id, err := in.id()
	if err != nil {
		return tools.Output{}, err
	}
	var answer struct {
		Response struct {
			Count *int `json:"game_count"`
			Games []owned
		}
	}
	query := url.Values{"steamid": {id}, "include_appinfo": {"1"}, "include_played_free_games": {"1"}}
	if err := s.player(ctx, env, "/IPlayerService/GetOwnedGames/v1/", query, &answer); err != nil {
		return tools.Output{}, err
	}
	if answer.Response.Count == nil { // {"response":{}}
		return tools.Output{Text: "Steam does not show the games of " + id + ": the player keeps them private, or there is no such player."}, nil
	}
	games := answer.Response.Games
	slices.SortStableFunc(games, func(a, b owned) int { return cmp.Compare(b.Minutes, a.Minutes) })
	items := make([][]string, min(20, len(games)))
	for i, game := range games[:len(items)] {
		lately := ""
		if game.Lately > 0 {
			lately = fmt.Sprintf("%.1f h in the last two weeks", float64(game.Lately)/60)
		}
		items[i] = []string{
			show.Line(cmp.Or(game.Name, "(no name)"), 120),
			show.Join(" · ", fmt.Sprintf("%.1f h", float64(game.Minutes)/60), lately, "app id "+strconv.Itoa(game.App)),
		}
	}
	text := fmt.Sprintf("Games of %s: %d", id, *answer.Response.Count)
	if more := len(games) - len(items); more > 0 {
		text += fmt.Sprintf(", the %d most played", len(items))
	}
	return tools.Output{Text: show.Join("\n\n", text, show.List(items))}, nil
}

func (s Service) summaryTool() tools.Tool {
	return tools.New(tools.Def[playerArgs]{
		Name:     "steam_user_summary",
		Keys:     "STEAM_API_KEY, required",
		Doc:      "Show a Steam player's name, whether they are online, and the game they are playing.",
		Examples: []string{"is steam user {76561197960435530|steam_id} online", "steam profile of {76561197960435530|steam_id}"},
		Pool:     tools.Net, Service: "api.steampowered.com",
		Run: s.summary,
	})
}

func (s Service) summary(ctx context.Context, env tools.Env, in playerArgs) (tools.Output, error) {
	id, err := in.id()
	if err != nil {
		return tools.Output{}, err
	}
	var answer struct {
		Response struct {
			Players []struct {
				Name    string `json:"personaname"`
				State   int    `json:"personastate"`
				Visible int    `json:"communityvisibilitystate"`
				Game    string `json:"gameextrainfo"`
				URL     string `json:"profileurl"`
				Created int64  `json:"timecreated"`
			}
		}
	}
	if err := s.player(ctx, env, "/ISteamUser/GetPlayerSummaries/v2/", url.Values{"steamids": {id}}, &answer); err != nil {
		return tools.Output{}, err
	}
	if len(answer.Response.Players) == 0 {
		return tools.Output{}, tools.Advise(fmt.Errorf("there is no player %s on Steam", id), "Compare the 17 digits.")
	}
	player := answer.Response.Players[0]
	created, private := "", ""
	if player.Created > 0 {
		created = time.Unix(player.Created, 0).UTC().Format(time.DateOnly)
	}
	if player.Visible != 3 { // according to the documentation, 3 means public
		private = "The profile is private, so the rest is not shown, and the player may be online even if it says Offline."
	}
	return tools.Output{Text: show.Block([]string{
		show.Line(player.Name, 80) + " (" + id + ")",
		show.Label("Status", state(player.State)),
		show.Label("Playing", show.Line(player.Game, 120)),
		show.Label("On Steam since", created),
		show.Line(player.URL, 200),
		private,
	}, "")}, nil
}

// state returns the name of a personastate value from ISteamUser/GetPlayerSummaries.
func state(number int) string {
	names := [...]string{"Offline", "Online", "Busy", "Away", "Snooze", "Looking to trade", "Looking to play"}
	if number < 0 || number >= len(names) {
		return "unknown (" + strconv.Itoa(number) + ")"
	}
	return names[number]
}
