package travel

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"marvin/messages/lists"
	"marvin/tools"
	"marvin/tools/internal/geo"
	"marvin/tools/internal/show"
)

const (
	maxWaypoints = 8
	maxSteps     = 200
)

type directionsArgs struct {
	Origin      string   `json:"origin" doc:"Address, saved place or lat,lng" alias:"from,start" example:"home"`
	Destination string   `json:"destination" doc:"Address, saved place or lat,lng" alias:"dest,to,end" example:"Uppsala Castle"`
	Mode        string   `json:"mode" doc:"Travel mode" enum:"driving,cycling,walking" default:"driving" alias:"profile,travel_mode"`
	Waypoints   []string `json:"waypoints,omitempty" doc:"Places on the way, in order" alias:"via"`
}

func (s Service) directionsTool() tools.Tool {
	return tools.New(tools.Def[directionsArgs]{
		Name: "get_directions", Chat: true,
		Doc: "Show turn-by-turn directions between two places.",
		Examples: []string{
			"directions from {home|origin} to {Uppsala Castle|destination}",
			"how do I get from {home|origin} to {work|destination} by {cycling|mode}",
			"route from {home|origin} to {work|destination} via {59.86,17.64|waypoints}",
		},
		Pool: tools.Net, Service: "nominatim.openstreetmap.org, router.project-osrm.org, routing.openstreetmap.de", Timeout: timeout, Fold: fold, State: "saved places",
		Run: s.directions,
	})
}

func (s Service) directions(ctx context.Context, env tools.Env, in directionsArgs) (tools.Output, error) {
	t, err := s.trip(ctx, env, tripArgs{in.Origin, in.Destination, in.Mode})
	if err != nil {
		return tools.Output{}, err
	}
	points := []geo.Point{t.from.Point}
	via, err := s.waypoints(ctx, env, in.Waypoints)
	if err != nil {
		return tools.Output{}, err
	}
	points = append(points, lists.Map(via, func(place geo.Found) geo.Point { return place.Point })...)
	found, err := s.route(ctx, t.mode, true, append(points, t.to.Point)...)
	if err != nil {
		return tools.Output{}, err
	}
	var text strings.Builder
	text.WriteString(t.head(freeFlow))
	for i, place := range via {
		fmt.Fprintf(&text, "Via %d: %s\n", i+1, place.Title())
	}
	text.WriteString(length(found.Distance) + "Duration: " + duration(found.Duration) + "\n\n")
	text.WriteString(strings.Join(instructions(found.Legs), "\n"))
	return tools.Output{Text: text.String()}, nil
}

// waypoints returns the places that the given strings describe. A single string can contain several
// places, as in "lat,lng;lat,lng".
func (s Service) waypoints(ctx context.Context, env tools.Env, given []string) ([]geo.Found, error) {
	var places []geo.Found
	for _, text := range given {
		for part := range strings.SplitSeq(text, ";") {
			if strings.TrimSpace(part) == "" {
				continue
			}
			if len(places) == maxWaypoints {
				return nil, tools.Advise(fmt.Errorf("there are more than %d waypoints", maxWaypoints), "Ask for the route in parts.")
			}
			place, err := s.finder.Find(ctx, env, part)
			if err != nil {
				return nil, fmt.Errorf("waypoint %d: %w", len(places)+1, err)
			}
			places = append(places, place)
		}
	}
	return places, nil
}

// instructions returns the numbered steps of all legs. It omits steps with zero distance, except
// departures and arrivals.
func instructions(legs []leg) []string {
	var lines []string
	for i, leg := range legs {
		for _, step := range leg.Steps {
			kind := step.Maneuver.Type
			if step.Distance == 0 && kind != "depart" && kind != "arrive" {
				continue
			}
			action := action(step.Maneuver)
			if kind == "arrive" && i < len(legs)-1 {
				action = fmt.Sprintf("Arrive at waypoint %d", i+1)
			}
			line := strconv.Itoa(len(lines)+1) + ". " + action
			if street := show.Line(show.Join(" ", step.Name, brackets(step.Ref)), 100); street != "" {
				line += " — " + street
			}
			if kind != "arrive" {
				line += fmt.Sprintf(" (%s, %s)", geo.Metres(step.Distance), duration(step.Duration))
			}
			lines = append(lines, line)
		}
	}
	if more := len(lines) - maxSteps; more > 0 {
		head := lines[:maxSteps-1]
		return append(append([]string{}, head...), fmt.Sprintf("… %d steps left out …", more), lines[len(lines)-1])
	}
	return lines
}

func brackets(text string) string {
	if text == "" {
		return ""
	}
	return "(" + text + ")"
}

// action describes a maneuver. It treats an unknown type as a turn, as OSRM's documentation
// requires.
func action(m maneuver) string {
	direction := show.Line(m.Modifier, 20)
	switch m.Type {
	case "depart":
		return "Depart"
	case "arrive":
		return strings.TrimRight("Arrive "+side(direction), " ")
	case "new name":
		return "Continue; the road changes its name"
	case "continue":
		return turn("Continue", direction)
	case "merge":
		return turn("Merge", direction)
	case "on ramp":
		return turn("Take the ramp", direction)
	case "off ramp":
		return turn("Take the exit", direction)
	case "fork":
		return turn("Keep at the fork", direction)
	case "end of road":
		return turn("At the end of the road, turn", direction)
	case "roundabout", "rotary":
		if m.Exit > 0 {
			return fmt.Sprintf("At the roundabout take exit %d", m.Exit)
		}
		return "Enter the roundabout"
	case "roundabout turn":
		return turn("At the roundabout turn", direction)
	case "exit roundabout", "exit rotary":
		return "Leave the roundabout"
	case "notification":
		return turn("Go on", direction)
	}
	if direction == "straight" {
		return "Go straight"
	}
	return turn("Turn", direction)
}

func turn(verb, direction string) string {
	switch direction {
	case "":
		return verb
	case "uturn":
		return "Make a U-turn"
	}
	return verb + " " + direction
}

// side returns the side of the road on which the destination is: "(on the left)", "(on the right)",
// or "" if OSRM's direction does not say.
func side(direction string) string {
	switch {
	case strings.Contains(direction, "left"):
		return "(on the left)"
	case strings.Contains(direction, "right"):
		return "(on the right)"
	}
	return ""
}
