package location

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"marvin/tools"
	"marvin/tools/internal/geo"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

// networkURL belongs to a free API, which needs no key, does not support HTTPS, and allows 45
// requests a minute: https://ip-api.com/docs/api:json
const networkURL = "http://ip-api.com/json/?fields=status,message,lat,lon,city,regionName,country,timezone"

// locateByNetwork estimates the position from this machine's network address. At best, it finds the
// right town. Behind a VPN, it may find another country.
func locateByNetwork(ctx context.Context, client *http.Client) (position, error) {
	var answer struct {
		Status, Message           string
		Lat, Lon                  *float64
		City, RegionName, Country string
		Timezone                  string
	}
	if err := web.GetJSON(ctx, client, networkURL, 64<<10, &answer); err != nil {
		return position{}, err
	}
	if answer.Status != "success" {
		return position{}, fmt.Errorf("ip-api.com cannot tell where this network is (%s); try again later", show.Line(answer.Message, 100))
	}
	if answer.Lat == nil || answer.Lon == nil {
		return position{}, tools.Advise(errors.New("ip-api.com gave no coordinates"), "Try again later.")
	}
	point, err := geo.NewPoint(*answer.Lat, *answer.Lon)
	return position{
		Point: point, source: "network address (ip-api.com; approximate, and wrong behind a VPN)",
		city: show.Line(answer.City, 80), region: show.Line(answer.RegionName, 80),
		country: show.Line(answer.Country, 80), timezone: show.Line(answer.Timezone, 60),
	}, err
}
