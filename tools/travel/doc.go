// Package travel computes travel times and directions.
//
// Routes come from OSRM, whose times do not include traffic. The package estimates the effects of
// traffic and weather by rules of thumb, and the result says so. It uses three servers, one per
// travel mode, because the OSRM project's server supports only cars. For a bicycle, that server
// would return the time that a car needs.
package travel
