package travel

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/goldentest"
	"marvin/persistence/personal"
	"marvin/tools/internal/toolstest"
)

// TestTravelTools records routes between places for each travel mode, with and without traffic, and
// refusals of each service. In the script, "clock" sets the time of the request, and "steps N" is a
// route with N steps.
func TestTravelTools(t *testing.T) {
	played := toolstest.FakeServer(t, "nominatim.openstreetmap.org", cars, others, openMeteo)
	home := persistence.Open(t.TempDir(), time.Now)
	lat, lng := 1.0, 2.0
	if _, _, err := personal.SavePlace(home.Profile("default"), "home", personal.PlaceChange{Lat: &lat, Lng: &lng}); err != nil {
		t.Fatal(err)
	}
	env := toolstest.Env(t)
	env.Profile = home.Profile("default").Dir
	call := played.Command(func(tool, args string) (string, error) {
		if tool == "clock" {
			now, err := time.Parse(time.RFC3339, args)
			env.Now = func() time.Time { return now }
			return "", err
		}
		text, err := toolstest.Call(t, New(played.Client, home).Tools(), env, tool, args)
		if lines := strings.Split(text, "\n"); len(lines) > 60 {
			text = strings.Join(append(lines[:8], lines[len(lines)-4:]...), "\n")
		}
		return text, err
	})
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", func(tool, args string) (string, error) {
		if tool == "steps" {
			n := 0
			if _, err := fmt.Sscan(args, &n); err != nil {
				return "", err
			}
			step := `{"distance":10,"duration":60,"name":"A","maneuver":{"type":"turn","modifier":"left"}}`
			return call("answer", `GET `+cars+`/ 200 {"code":"Ok","routes":[{"distance":1,"duration":1,"legs":[{"steps":[`+strings.TrimSuffix(strings.Repeat(step+",", n), ",")+`]}]}]}`)
		}
		return call(tool, args)
	})
}
