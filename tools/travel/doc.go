// Package travel computes travel times and directions.
//
// Routes come from OSRM, whose times do not include traffic. The package estimates the effects of
// traffic and weather by rules of thumb, and the result says so. It uses three servers, one per
// travel mode, because the server of the OSRM project supports only cars: for a bicycle it would
// return the time of a car.
package travel
