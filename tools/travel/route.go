package travel

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"marvin/messages/lists"
	"marvin/tools"
	"marvin/tools/internal/geo"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

// router returns the start of the request URL for a travel mode. The URL contains "driving" even
// for the bicycle and pedestrian servers, which FOSSGIS runs.
func router(mode string) string {
	switch mode {
	case "cycling":
		return "https://routing.openstreetmap.de/routed-bike/route/v1/driving/"
	case "walking":
		return "https://routing.openstreetmap.de/routed-foot/route/v1/driving/"
	}
	return "https://router.project-osrm.org/route/v1/driving/"
}

// route is a route in OSRM's answer; see
// https://project-osrm.org/docs/v5.24.0/api/#route-service. Distances are in meters, durations in
// seconds.
type route struct {
	Distance float64 `json:"distance"`
	Duration float64 `json:"duration"`
	Legs     []leg   `json:"legs"` // one between each pair of consecutive points
}

type leg struct {
	Steps []step `json:"steps"`
}

type step struct {
	Distance float64  `json:"distance"`
	Duration float64  `json:"duration"`
	Name     string   `json:"name"`
	Ref      string   `json:"ref"`
	Maneuver maneuver `json:"maneuver"`
}

type maneuver struct {
	Type     string `json:"type"`
	Modifier string `json:"modifier"`
	Exit     int    `json:"exit"`
}

// route asks OSRM for the best route through the points. OSRM expects the longitude first.
func (s Service) route(ctx context.Context, mode string, steps bool, points ...geo.Point) (route, error) {
	coordinates := lists.Map(points, func(point geo.Point) string { return geo.Query(point.Lng) + "," + geo.Query(point.Lat) })
	address := fmt.Sprintf("%s%s?overview=false&alternatives=false&steps=%t", router(mode), strings.Join(coordinates, ";"), steps)
	var answer struct {
		Code, Message string
		Routes        []route
	}
	err := web.GetJSON(ctx, s.finder.Client, address, 8<<20, &answer)
	if status, ok := errors.AsType[*web.StatusError](err); ok && status.Status == http.StatusBadRequest { // OSRM returns status 400 if there is no route
		return route{}, noRoute(mode, status.Message)
	}
	if err != nil {
		return route{}, fmt.Errorf("ask for the route: %w", err)
	}
	if answer.Code != "Ok" || len(answer.Routes) == 0 {
		return route{}, noRoute(mode, show.Join(": ", answer.Code, answer.Message))
	}
	return answer.Routes[0], nil
}

func noRoute(mode, said string) error {
	return tools.Advise(fmt.Errorf("there is no %s route (%s)", mode, show.Line(said, 200)),
		"Check that both places are the right ones and that no water separates them, or try another mode.")
}
