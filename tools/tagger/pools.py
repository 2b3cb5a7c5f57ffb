"""Values that people could say, by kind."""

from __future__ import annotations

import random
import string

LISTS = {
    "person": "Ana, Bob, Maria Lopez, John Smith, Mrs Keller, Ahmed, my brother, Priya Nair, "
    "Tom, Dr Weber, Chloé, Li Wei, Olga, Mr Brown, Sam, Fatima Khan, my mother, Jürgen, Zoe Adams",
    "city": "Leeds, Porto, Dover, Santander, Oslo, Lyon, Graz, Málaga, Cork, Ghent, Turin, York, "
    "Bilbao, Calais, Odessa, Tampere, New Haven, Palma, Rotterdam, Split, Kiel, St Ives",
    "street": "Mill Road, 12 Baker Street, Elm Lane 4, the corner of High Street, 5 Rue Neuve, "
    "Station Square, 221 Park Avenue, Calle Mayor 7, Hill View 3, Oak Drive",
    "company": "Acme, Northern Power, Globex, City Water, Vodaline, Initech, Sunrise Health, "
    "Bosch, Siemens, Green Cross, Alpen Mutual, Telco One, Corner Pharmacy, Umbra",
    "date": "tomorrow, on Friday, today, next Monday, the 3rd of May, March 12th, June 5, "
    "next week, the day after tomorrow, 12/04/2026, 2026-05-01, the 21st, this Saturday, "
    "Sunday, in two weeks, the first of July, yesterday, Tuesday next week",
    "time": "9 am, half past ten, 14:30, noon, 8 in the evening, quarter to six, 7pm, 10:15, "
    "three o'clock, 6 in the morning, 18:00, midnight, 11 a.m., five thirty",
    "dish": "pad thai, margherita pizza, veggie burger, lasagne, chicken curry, tomato soup, "
    "falafel, sushi box, caesar salad, tacos, ramen, fish and chips",
    "thing": "black umbrella, winter coat, headphones, backpack, office chairs, blue scarf, keys, "
    "running shoes, frozen fish, laptop bag, toaster, spare parts, red wallet, books",
    "issue": "it does not start, error 503, the screen stays black, it makes a strange noise, "
    "no sound at all, it is very slow, paper jam, I cannot connect, the battery is empty",
    "drug": "ibuprofen, metformin, paracetamol, insulin, amoxicillin, aspirin, salbutamol",
    "dose": "50 mg, 500 milligrams, 10 ml, 1 g, 200 mg",
    "room": "4b, 12, A3, 302, 7c, B 1.05, 10a",
    "user": "jsmith, ana.lopez, kim88, t.brown, olga_p, admin2",
    "book": "The Left Hand of Darkness, Emma, Dune, A Room of One's Own, Don Quixote, Middlemarch, "
    "The Name of the Rose, Beloved",
    "weight": "200 kilos, 1.5 tons, 80 kg, 2 tonnes, 750 kg, twelve kilos",
    "station": "Central Station, Opera, Victoria, Harbour Street, Town Hall, the airport, "
    "Museum Park, North Gate, Kings Cross, University",
    "greeting": "happy birthday, get well soon, see you tonight, I am running late, thank you, "
    "call me when you can, with love from Ana, the service was slow, everything was great",
    "task": "water the plants, call my mother, buy milk, pay the rent, take out the rubbish, "
    "book the dentist, feed the cat",
    "percent": "20 percent, 50%, full brightness, 80 %, ten percent",
    "film": "The Quiet Harbour, Alien, Paddington 2, Casablanca, The Third Man, Moonlight, "
    "Spirited Away, Dune Part Two, La La Land, Parasite, The Lost Kingdom, Toy Story, "
    "Night Train to Lisbon, Some Like It Hot, Amélie, Back to the Future, Red Winter, "
    "Inside Out, The Godfather, that new Bond film",
    "pet": "Bella, Rex, Mr Whiskers, Luna, Biscuit, Milo, Coco, Felix, Daisy, Simba, Pepper, "
    "Oscar, Nala, Socks, Princess Fluff, Rocky, Ginger, Balu, Tilly, Captain",
    "reason": "I have to work, my son is ill, the car broke down, we are away that week, I double "
    "booked, my train is late, something came up at work, the babysitter cancelled, I "
    "have caught a cold, my flight was moved, it is too expensive, we changed our minds, "
    "there is a funeral, the weather looks awful, I hurt my back, my wife has an "
    "operation, I have lost my job, the kids are off school, nobody uses it any more, we "
    "are moving abroad",
    "food": "club sandwich, porridge, cheese platter, scrambled eggs, mushroom risotto, grilled "
    "salmon, fruit bowl, chocolate cake, onion soup, pancakes, bacon roll, green salad, "
    "steak and fries, vanilla ice cream, spring rolls, croissants, bowl of noodles, lamb "
    "stew, cheese toastie, apple pie",
    "car": "Ford Focus, VW Golf, Toyota Yaris, Fiat 500, Skoda Octavia, Renault Clio, BMW 320d, "
    "Tesla Model 3, Nissan Leaf, Volvo V60, Opel Corsa, Honda Jazz, Mini Cooper, Audi A4, "
    "Dacia Duster, Peugeot 208, Mazda 3, Kia Niro, old Land Rover, Mercedes Sprinter",
    "job": "plumber, primary school teacher, accountant, electrician, bus driver, shop "
    "assistant, software developer, nurse, chef, lawyer, warehouse worker, graphic "
    "designer, farmer, dental assistant, police officer, student, self-employed "
    "carpenter, pharmacist, office manager, waiter",
    "account": "savings, joint account, holiday pot, current account, rainy day fund, household "
    "account, business account, kids' account, everyday account, emergency pot, main "
    "account, car fund, Christmas club, old student account, euro account, pocket money "
    "account, house deposit, credit card, tax pot, shared account",
    "area": "the old town, Riverside, the north side, Westfield, the harbour quarter, Chinatown, "
    "the university district, the city centre, Southbank, Green Hill, Altstadt, the east "
    "end, Lakeside, Mill Quarter, Castle Park, the suburbs, Jordaan, Gràcia, Little "
    "Italy, Newtown",
    "seat": "F12, 14A, 3C, row 5 seat 8, G7, 22F, B14, K1, 9D, row 2 seat 11, J10, 31B, A4, row "
    "16 seat 3, D9, 18E, H20, 7F",
    "period": "two weeks, six months, a year, ten days, a month, three months, a fortnight, 18 "
    "months, a long weekend, five weeks, half a year, two years, 30 days, a quarter, one "
    "week, four days, 24 months, the whole summer",
    "show": "The Crown, Dark, Planet Earth, Peaky Blinders, Bluey, Money Heist, Fleabag, Borgen, "
    "The Great Bake Off, Stranger Things, Succession, Lupin, Doctor Who, Twin Peaks, "
    "Derry Girls, Friends, Chef's Table, The Bridge",
    "supply": "layer pellets, winter wheat seed, barley straw, fence posts, lime, sheep nuts, "
    "baler twine, hay, nitrogen fertiliser, potato seed, barbed wire, cattle feed, grass seed, "
    "silage wrap, salt licks, chicken wire, compost, rolled oats",
    "software": "Photoshop, Visio, AutoCAD, Slack, Microsoft Project, Tableau, Acrobat Pro, Figma, "
    "Zoom, SAP, Miro, MATLAB, Power BI, Sketch, Jira, QuickBooks, Teams, Lightroom",
    "ailment": "she is limping, he keeps scratching, she won't eat, he swallowed a sock, "
    "one paw is swollen, he has fleas, she has been sick all night, the ears are inflamed, he is "
    "sneezing, a claw is torn, she drinks a lot, there is a lump on his belly, his breath "
    "smells, he got stung by a wasp, she is losing fur, one eye is running",
    "noise": "it squeals when I brake, the engine light is on, it won't start in the mornings, "
    "there is oil under it, the clutch slips, a tyre is flat, the wipers don't work, it "
    "rattles on the motorway, the air con blows warm, the windscreen is cracked, it pulls "
    "to the left, the exhaust is loose, the battery keeps dying, one headlight is out, "
    "the gearbox grinds",
    "exhibition": "Women of the Bauhaus, Ancient Egypt, Dinosaurs Alive, Monet and His Garden, The "
    "Space Age, Dutch Masters, Vikings, Treasures of the Silk Road, Photography Now, the "
    "Picasso rooms, Glass and Light, Life in the Ice Age, Toys through Time, The Roman "
    "Kitchen, Maps of the World, African Textiles",
    "share": "5 percent, 3%, eight percent, 12 %, 4.5 percent, ten percent, 6%, 15 percent, two "
    "percent, 7.5%, a tenth, 20 percent, 9 %, half a percent, three percent, 11%, seven "
    "per cent, 25 percent",
    "minutes": "30 minutes, half an hour, 45 min, an hour, ninety minutes",
}
COUNTS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve")
TYPES = {
    **{"date": "date", "time": "time", "count": "integer", "money": "money"},
    **{"phone": "phone", "mail": "email", "minutes": "duration", "period": "duration"},
}


def drawn(pool: str, dice: random.Random) -> str:
    """A value of a kind."""
    if pool in LISTS:
        return dice.choice(LISTS[pool].split(", ")).removeprefix("on ")
    number = dice.choice([dice.randrange(1, 100), 10 * dice.randrange(1, 200)])
    if pool == "count":
        return dice.choice([dice.choice(COUNTS), str(dice.randrange(1, 20))])
    if pool == "money":
        forms = ("{} euros", "${}", "{}", "€{}", "{} dollars", "{} pounds", "{}.50", "{} bucks")
        return dice.choice(forms).format(number)
    if pool == "phone":
        return dice.choice(["+44 20 7946 0{}", "555-01{}", "0151 23{}"]).format(100 + number % 900)
    if pool == "mail":
        return f"{dice.choice(['ana', 'bob.k', 'li', 'office'])}@{dice.choice(['mail', 'a1'])}.com"
    letters = "".join(dice.choice(string.ascii_uppercase) for _ in range(2))
    if pool == "plate":
        return f"{letters} {number} {letters[::-1]}"
    return str(10000 + 7 * number) if pool == "digits" else f"{letters}{10000 + number}"
